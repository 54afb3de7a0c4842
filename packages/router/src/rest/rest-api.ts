import { countedChunks, RepoGoneError, storageTrouble, WorkAbortedError } from '@packhouse/git';
import { capacityError, JsonBody, mountPathOf, type Hosting, type Target } from '@packhouse/hosting';
import {
  boundedChunks,
  type Failed,
  HostingError,
  isAccountId,
  parseBearer,
  type RawFields,
  type HoldMemory,
  type NameOperation,
  hasPlainCoding,
  isJsonType,
  readJson,
  repoErrors,
  type BodyBounds,
} from '@packhouse/base';
import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { clientLeft } from '../reply/client-left.ts';
import { byteResponse } from './byte-response.ts';
import { failureResponse, successResponse } from './envelope.ts';
import { allowedMethods, type Operation } from './operations.ts';
import { routeOperations, type Routed } from './routes.ts';

export interface RestOptions {
  /** Receives each unexpected failure with the id of its request. Default: no call. */
  readonly failed?: Failed;
}

/** Handles every request below the base path. `requestId` (REPO-007) is for logs; the caller sets the header. */
export type RestApi = (request: Request, requestId: string, named?: NameOperation) => Promise<Response>;

type Environment = { Bindings: { readonly requestId: string; readonly named: NameOperation | undefined } };

/** Creates the handler of the REST API. */
export function restApi(hosting: Hosting, { failed = () => undefined }: RestOptions = {}): RestApi {
  const mountPath = mountPathOf(hosting.settings.public_url);
  const app = new Hono<Environment>({ getPath: (request) => getPath(request).slice(mountPath.length) });
  const routed = routeOperations(hosting);
  const fail = (error: unknown, requestId: string, headers?: Readonly<Record<string, string>>): Response => {
    if (error instanceof HostingError) return failureResponse(error, hosting, headers);
    const capacity = capacityError(error);
    if (capacity !== undefined) {
      // Report a full or missing storage, because only the operator can fix it.
      if (storageTrouble(error) !== undefined) failed(error, requestId);
      return failureResponse(capacity, hosting);
    }
    if (error instanceof RepoGoneError) return failureResponse(new HostingError('repoNotFound'), hosting);
    // The client has disconnected. The status is only for the log.
    if (error instanceof WorkAbortedError) return new Response(null, { status: clientLeft });
    failed(error, requestId);
    return failureResponse(new HostingError('internal'), hosting);
  };

  for (const routedOperation of routed) {
    const { operation, pattern } = routedOperation;
    app.on(operation.method.toUpperCase(), pattern, async (context) => {
      context.env.named?.(operation.id);
      const account = context.req.param('account_id') as string;
      const path = (name: string): string => context.req.param(name) as string;
      const brokenOff = (error: unknown): void => failed(error, context.env.requestId);
      const named = (token: string | undefined): void => context.env.named?.(operation.id, token);
      return run(hosting, routedOperation, context.req.raw, { account, path, failed: brokenOff, named });
    });
  }
  for (const { operation, pattern } of routed) {
    app.all(pattern, (context) => {
      if (!isAccountId(context.req.param('account_id') as string)) throw new HostingError('noRoute');
      const headers = { allow: allowedMethods(operation.path) };
      return fail(new HostingError('noMethod'), context.env.requestId, headers);
    });
  }
  app.notFound((context) => fail(new HostingError('noRoute'), context.env.requestId));
  app.onError((error, context) => fail(error, context.env.requestId));

  return async (request, requestId, named) => await app.fetch(request, { requestId, named });
}

/** A request after route matching. */
interface Matched {
  readonly account: string;
  readonly path: (name: string) => string;
  /** Receives the error if a reply fails after it has begun. */
  readonly failed: (error: unknown) => void;
  /** Receives the id of the stored API token of the request, for the log. */
  readonly named: (token: string | undefined) => void;
}

/** Checks a request in the order of REPO-036 and runs its operation. The operation checks fields and state. */
async function run(
  hosting: Hosting,
  { operation, path: template }: Routed,
  request: Request,
  { account, path, failed, named }: Matched,
): Promise<Response> {
  if (!isAccountId(account)) throw new HostingError('noRoute');
  const token = parseBearer(request.headers.get('authorization'));
  const target = targetOf(operation, account, path);
  const { within, token: tokenId } = await hosting.authorize(token, target, operation.permission);
  named(tokenId);
  await hosting.admit(account, operation.path.includes('{namespace}') ? path('namespace') : undefined);
  const hold: HoldMemory = (bytes) => hosting.holdMemory(bytes, { tenant: account, signal: request.signal });
  const bounds = { max: hosting.settings.rest_body_max, hold };
  checkBodyType(request.headers, operation);
  const isRead = operation.body !== undefined && operation.isStreamed !== true;
  const body = isRead ? await readJsonBody(request, bounds) : {};
  const { pathname, searchParams } = new URL(request.url);
  const mounted = pathname.slice(mountPathOf(hosting.settings.public_url).length);
  const encodedFrom = (name: string): readonly string[] =>
    mounted.split('/').slice(template.split('/').indexOf(`{${name}}`));
  const work = hosting.beginWork({ tenant: account, signal: request.signal });
  const { method } = request;
  const call = {
    account,
    token: token ?? '',
    within,
    work,
    path,
    encodedFrom,
    isHead: method === 'HEAD',
    query: firstValues(searchParams),
    body,
    stream: (max: number) => new JsonBody(countedChunks(jsonChunks(request, max), work), sizeOf(request)),
    upload: () => ({ stream: request.body ?? new Blob([]).stream(), size: sizeOf(request) }),
    header: (name: string) => request.headers.get(name),
  };
  if (operation.bytes !== undefined) return byteResponse(request, await operation.read(hosting, call), failed);
  const { alternative } = operation;
  if (alternative !== undefined && names(request.headers.get('accept'), alternative.type)) {
    return variedByAccept(await byteResponse(request, await alternative.read(hosting, call), failed));
  }
  // Reserve memory only for GET. A reply to HEAD is dropped. After a change, the client must get its reply.
  const holdReply =
    method === 'GET' ? (bytes: number) => hosting.holdMemoryAtOnce(bytes, { tenant: account }) : undefined;
  const success = await operation.run(hosting, call);
  const status = (success.isIdle === true ? operation.idleStatus : undefined) ?? operation.status;
  const reply = await successResponse({ ...success, status }, work, failed, holdReply);
  return alternative === undefined ? reply : variedByAccept(reply);
}

/** Returns the part of the account that the token must reach. */
function targetOf(operation: Operation, account: string, path: Matched['path']): Target {
  const { path: pattern, reach } = operation;
  const isOfRepo = reach === undefined && pattern.includes('{repo_name}');
  return {
    account,
    namespace: pattern.includes('{namespace}') ? path('namespace') : undefined,
    repo: isOfRepo ? path('repo_name') : undefined,
    isJudged: reach === 'judged',
  };
}

/** Keeps caches from taking one form of a reply for the other (RFC 9110 §12.5.5). */
function variedByAccept(reply: Response): Response {
  reply.headers.append('vary', 'Accept');
  return reply;
}

/**
 * Checks that a request has the type of body that its operation reads, without a coding (REPO-040, REPO-257, REPO-311).
 *
 * @throws {HostingError} `mediaType`.
 */
function checkBodyType(headers: Headers, { body, isUpload = false }: Operation): void {
  if (body === undefined && !isUpload) return;
  const type = headers.get('content-type');
  const isRight = isUpload
    ? type?.split(';')[0]?.trim().toLowerCase() === 'application/octet-stream'
    : isJsonType(type);
  if (!isRight) throw new HostingError('mediaType');
  const text = `${repoErrors.mediaType.message}: expected a body without Content-Encoding`;
  if (!hasPlainCoding(headers)) throw new HostingError('mediaType', { text });
}

/** Returns the length of a body, if the client announces one. */
function sizeOf(request: Request): number | undefined {
  const length = request.headers.get('content-length');
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** Bytes of JSON that are read between two turns of other requests. */
const jsonPiece = 64 * 1024;

/** Yields a body in pieces. One that breaks off is malformed (REPO-042). */
async function* jsonChunks(request: Request, max: number): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // Some runtimes have the whole body in one chunk.
    for await (const chunk of boundedChunks(request, max)) {
      for (let at = 0; at < chunk.length; at += jsonPiece) yield chunk.subarray(at, at + jsonPiece);
    }
  } catch (error) {
    throw error instanceof HostingError ? error : new HostingError('malformedJson');
  }
}

/** Tests if an `Accept` header names a media type itself, and does not refuse it by a weight of 0. Ranges do not count. */
function names(accept: string | null, type: string): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';');
    return name.trim().toLowerCase() === type && !parameters.some((one) => /^\s*q=0(?:\.0*)?\s*$/i.test(one));
  });
}

function firstValues(parameters: URLSearchParams): RawFields {
  const values: Record<string, string> = {};
  for (const [name, value] of parameters) if (!Object.hasOwn(values, name)) values[name] = value;
  return values;
}

/**
 * Reads a JSON body: size, then syntax (REPO-036, REPO-041, REPO-042).
 *
 * @throws {HostingError} `bodyTooLarge` or `malformedJson`, or an error of `bounds.hold` if memory is short.
 */
async function readJsonBody(request: Request, bounds: BodyBounds): Promise<RawFields> {
  const value = await readJson(request, bounds);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new HostingError('malformedJson');
  return value as RawFields;
}
