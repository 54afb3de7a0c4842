import {
  advertise,
  MalformedRequestError,
  parseGitProtocol,
  receivePack,
  RepoGoneError,
  RequestTooLargeError,
  storageTrouble,
  uploadPack,
  WorkAbortedError,
  type GitEngine,
  type GitService,
} from '@packhouse/git';
import {
  capacityError,
  GitRefusal,
  pushLimits,
  version,
  type GitAccess,
  type Hosting,
  type RemoteMatch,
} from '@packhouse/hosting';
import { parseGitCredential, type NameOperation } from '@packhouse/base';
import { crossOrigin, preflight, type CrossOrigin } from '../reply/cross-origin.ts';
import { refusal, success, uncached } from './replies.ts';
import { bodyLength, decodedBody, refuseBody } from './request-body.ts';
import { clientLeft } from '../reply/client-left.ts';
import type { Traces } from '../tracing/traces.ts';
import { gitRoute } from './routes.ts';

/** Options of {@link gitFace}. */
export interface GitFaceOptions {
  readonly hosting: Hosting;
  readonly engine: GitEngine;
  /** Receives unexpected failures with the id of the request, for logs. They never reach a client. */
  readonly report: (error: unknown, requestId: string) => void;
  /** Begins a span for each pack. Default: no spans. */
  readonly traces?: Pick<Traces, 'body'> | undefined;
  /** Receives the push options of a push (GIT-117). Default: no call. */
  readonly pushOptions?: ((access: GitAccess, options: readonly Uint8Array[]) => void) | undefined;
}

/** Handles a Git request to a remote. `match.path` is the path after the remote; `requestId` (REPO-007) is for logs. */
export type GitFace = (
  request: Request,
  match: RemoteMatch,
  requestId: string,
  named?: NameOperation,
) => Promise<Response>;

/** The options of one request, whose `report` adds the id of the request. */
interface RequestOptions extends Omit<GitFaceOptions, 'report'> {
  readonly report: (error: unknown) => void;
  readonly named?: NameOperation | undefined;
}

/** Serves Git over HTTP as `docs/specification/git.md` defines it. Its checks run in the order of GIT-008. */
export function gitFace(options: GitFaceOptions): GitFace {
  const { hosting } = options;
  return async (request, match, requestId, named) => {
    const origins = hosting.settings.cors_origins;
    const response =
      preflight(request, origins, ofGit) ?? (await answer(request, match, ofRequest(options, requestId, named)));
    return crossOrigin(request, response, origins, ofGit);
  };
}

/** GIT-019. */
const ofGit: CrossOrigin = {
  methods: 'GET, POST',
  allowed: 'Authorization, Content-Type, Git-Protocol',
  exposed: 'Content-Type',
  preflight: uncached,
};

function ofRequest(options: GitFaceOptions, requestId: string, named: NameOperation | undefined): RequestOptions {
  return { ...options, named, report: (error) => options.report(error, requestId) };
}

async function answer(request: Request, match: RemoteMatch, options: RequestOptions): Promise<Response> {
  const url = new URL(request.url);
  const route = gitRoute(request.method, match.path, url.searchParams);
  if (route.kind === 'refused')
    return refusal(route.status, route.text, route.allow === undefined ? {} : { allow: route.allow });
  const { hosting, named } = options;
  const operation = route.kind === 'discovery' ? `${route.service}-refs` : route.service;
  named?.(operation);
  const secret = parseGitCredential(request.headers.get('authorization'));
  if (secret === undefined) {
    return refusal(401, 'Authentication required', { 'www-authenticate': `Basic realm="${hosting.dialect.realm}"` });
  }
  try {
    const { account, namespace, repo } = match;
    const access = await hosting.openForGit({ account, namespace, repo, secret, service: route.service });
    if (access.token.isStored === true) named?.(operation, access.token.id);
    if (route.kind === 'discovery') return await discovery(request, route.service, access, options);
    return await serve(request, route.service, access, options);
  } catch (error) {
    // If the client disconnected while it sent the body, the error is expected: do not report it.
    return failure(error, route.service, request.signal.aborted ? () => {} : options.report);
  }
}

async function discovery(
  request: Request,
  service: GitService,
  access: GitAccess,
  { hosting, engine, report }: RequestOptions,
): Promise<Response> {
  const body = await advertise(engine, access.repo, access.snapshot, {
    tenant: access.token.id,
    signal: request.signal,
    failed: report,
    service,
    version: parseGitProtocol(request.headers.get('git-protocol')),
    identity: { agent: hosting.dialect.agent.replace('{version}', version), sessionId: hosting.ids.requestId() },
    hiddenRefs: hosting.settings.hidden_refs,
  });
  return success(`application/x-${service}-advertisement`, body);
}

async function serve(
  request: Request,
  service: GitService,
  access: GitAccess,
  options: RequestOptions,
): Promise<Response> {
  const { settings } = options.hosting;
  const limit = service === 'git-receive-pack' ? settings.push_body_max : settings.fetch_body_max;
  const refused = refuseBody(request.headers, `application/x-${service}-request`, limit, tooLarge(service, limit));
  if (refused !== undefined) return refusal(refused.status, refused.text);
  const body = decodedBody(request);
  const [span, answer] =
    service === 'git-receive-pack' ? (['pack.receive', push] as const) : (['pack.send', fetch] as const);
  const make = (): ReturnType<typeof answer> => answer(request, access, body, options);
  const reply = await (options.traces?.body(span, make) ?? make());
  return success(`application/x-${service}-result`, reply);
}

async function fetch(
  request: Request,
  access: GitAccess,
  body: AsyncIterable<Uint8Array>,
  { hosting, engine, report }: RequestOptions,
): Promise<ReadableStream<Uint8Array> | Uint8Array> {
  const { settings } = hosting;
  const reply = await uploadPack(engine, access.repo, access.snapshot, body, {
    tenant: access.token.id,
    signal: request.signal,
    version: parseGitProtocol(request.headers.get('git-protocol')),
    hiddenRefs: settings.hidden_refs,
    staleTips: { now: hosting.clock.now(), grace: settings.stale_want_grace * 1000 },
    bodyMax: settings.fetch_body_max,
    memoryMax: settings.request_memory_max,
    storageMax: settings.repo_storage_max,
    keepAlive: settings.keep_alive * 1000,
    failed: report,
    fetched: hosting.gitEvents(access)?.fetched,
  });
  return reply.body;
}

function push(
  request: Request,
  access: GitAccess,
  body: AsyncIterable<Uint8Array>,
  options: RequestOptions,
): Promise<ReadableStream<Uint8Array> | Uint8Array> {
  const { hosting, engine, report, pushOptions } = options;
  const { settings } = hosting;
  const { head, repo } = access;
  return receivePack(engine, repo, access.snapshot, body, {
    tenant: access.token.id,
    signal: request.signal,
    hiddenRefs: settings.hidden_refs,
    denyDeleteDefault: settings.deny_delete_default,
    denyNonFastForward: settings.deny_non_fast_forward,
    strictObjects: settings.strict_objects,
    ...pushLimits(settings),
    accountStorageLeft: () => hosting.storageRoom(head.account),
    pushId: hosting.ids.secret(),
    now: () => hosting.clock.now(),
    bodyMax: settings.push_body_max,
    bodyLength: bodyLength(request.headers),
    commandsMax: settings.push_commands_max,
    pushOptionsMax: settings.push_options_max,
    pushOptionBytesMax: settings.push_option_bytes_max,
    keepAlive: settings.keep_alive * 1000,
    pushOptions: pushOptions === undefined ? undefined : (given) => pushOptions(access, given),
    committed: (outcome) => hosting.recordPush(head, repo, outcome),
    failed: report,
    describe: hosting.gitEvents(access)?.pushed,
  });
}

function failure(error: unknown, service: GitService, report: (error: unknown) => void): Response {
  if (error instanceof GitRefusal) {
    return refusal(
      error.status,
      error.message,
      error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) },
    );
  }
  // The client has disconnected. The status is only for the log.
  if (error instanceof WorkAbortedError) return refusal(clientLeft, '');
  if (error instanceof MalformedRequestError) return refusal(400, error.message);
  if (error instanceof RequestTooLargeError) return refusal(413, tooLarge(service, error.limit));
  const capacity = capacityError(error);
  if (capacity !== undefined) {
    // Report a full or missing storage, because only the operator can fix it.
    if (storageTrouble(error) !== undefined) report(error);
    return refusal(capacity.status, capacity.message, retryHeader(capacity));
  }
  // A repository that was deleted during the request looks like one that never existed (GIT-158).
  if (error instanceof RepoGoneError) return failure(new GitRefusal('invalid token'), service, report);
  report(error);
  return refusal(500, 'An internal error occurred.');
}

function retryHeader({ retryAfter }: { readonly retryAfter: number | undefined }): Readonly<Record<string, string>> {
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}

/** Returns the text for a body above its limit (LIM-052, LIM-057). */
function tooLarge(service: GitService, limit: number): string {
  const [what, setting] = service === 'git-receive-pack' ? ['Push', 'push_body_max'] : ['Request', 'fetch_body_max'];
  return `${what} is too large: limit ${limit} bytes (${setting})`;
}
