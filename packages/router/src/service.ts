import {
  isAccountId,
  type Failed,
  type Log,
  type NameOperation,
  type RequestRecord,
  failureRecord,
  withoutSecrets,
  freshRequestId,
  textResponse,
} from '@packhouse/base';
import { mountPathOf, type Hosting } from '@packhouse/hosting';
import { docsHtml, docsPage } from './pages/docs-page.ts';
import type { GitFace } from './git/face.ts';
import { refusal } from './git/replies.ts';
import { repoCodesPage, tagCodesPage } from './pages/api-code-pages.ts';
import { frontPage } from './pages/front-page.ts';
import { under } from './pages/page.ts';
import { keptPage, pageResponse } from './pages/page-response.ts';
import { platformCodePages } from './pages/platform-code-pages.ts';
import { browsedRemote, remotePage } from './pages/remote-page.ts';
import { errorArea, type ErrorArea } from './platform-errors.ts';
import { restDocument } from './rest/openapi/document.ts';
import { restApi } from './rest/rest-api.ts';
import { apiCrossOrigin, crossOrigin, preflight } from './reply/cross-origin.ts';
import type { Handled, Traces } from './tracing/traces.ts';
import { serviceTags, type ServedTags } from './tags/service-tags.ts';

/** Options of {@link createService}. */
export interface ServiceOptions {
  readonly hosting: Hosting;
  readonly git: GitFace;
  /** Default: the service has no tagging. */
  readonly tags?: ServedTags | undefined;
  /** Receives a record of each request, and of each failure unless `failed` is given. Default: no call. */
  readonly log?: Log | undefined;
  /** Receives each unexpected failure with the id of its request, or null. Default: `log` receives its record. */
  readonly failed?: Failed;
  /** Begins a span for each request (REPO-345). Default: no spans. */
  readonly traces?: Pick<Traces, 'request'> | undefined;
  /** Returns true if the service can handle requests now. Default: always true. */
  readonly ready?: () => boolean | Promise<boolean>;
  /** Answers `/metrics`, and checks who asks (REPO-340). Default: there is no such path. */
  readonly metrics?: ((request: Request) => Promise<Response>) | undefined;
  /** Serves `/openapi.json`. This flag and those below are true by default (REPO-029). */
  readonly openapi?: boolean;
  /** Serves `/docs` and all paths below it, `/`, and pages at the addresses of repositories. */
  readonly docs?: boolean;
  readonly healthz?: boolean;
  readonly readyz?: boolean;
}

const encoder = new TextEncoder();

/** Handles any request to the service. Never rejects. */
export type Service = (request: Request) => Promise<Response>;

/** Serves all areas at one origin (REPO-029). */
export function createService(options: ServiceOptions): Service {
  const { hosting, git, log, traces, failed = (error, requestId) => log?.(failureRecord(error, requestId)) } = options;
  const { dialect, clock, remotes } = hosting;
  const errors = errorArea(hosting, failed);
  const explains = dialect.pages && options.docs !== false;
  const mountPath = mountPathOf(hosting.settings.public_url);
  const rest = restApi(hosting, { failed });
  const tags = options.tags && serviceTags(hosting, options.tags, failed);
  const ofApi = apiCrossOrigin(dialect.requestIdHeader);
  const origins = hosting.settings.cors_origins;
  const document = keptResult(() => {
    const rest = restDocument(hosting);
    return errors.describe(tags?.describe(rest) ?? rest);
  });
  const hostPaths = ownPaths(options, errors, {
    openapi: keptResult(() => encoder.encode(JSON.stringify(document()))),
    docs: keptResult(() => encoder.encode(docsHtml(document()))),
  });

  const choose = (request: Request, url: URL, requestId: string, named: NameOperation): Choice => {
    const isMounted = url.pathname === mountPath || url.pathname.startsWith(`${mountPath}/`);
    // A request outside the mount path can still be for a remote, because remotes may have their own host.
    const pathname = isMounted ? url.pathname.slice(mountPath.length) || '/' : '';
    if (pathname === dialect.basePath || pathname.startsWith(`${dialect.basePath}/`)) {
      const early = preflight(request, origins, ofApi);
      if (early !== undefined) return { answer: () => early, isApi: true, operation: 'preflight' };
      const tagged = tags?.choose(request, pathname.slice(dialect.basePath.length), requestId);
      if (tagged !== undefined) return { ...tagged, isApi: true };
      const account = /^\/accounts\/([^/]+)\//.exec(pathname.slice(dialect.basePath.length))?.[1] ?? '';
      return {
        answer: () => rest(request, requestId, named),
        account: isAccountId(account) ? account : undefined,
        isApi: true,
        operation: 'rest',
      };
    }
    // People type addresses of pages with a slash at the end, too.
    const own = hostPaths.get(pathname.startsWith('/docs/') ? pathname.replace(/\/$/, '') : pathname);
    if (own !== undefined) {
      const readable = request.method === 'GET' || request.method === 'HEAD';
      const answer = readable ? () => own(request) : () => errors.readOnly(request);
      return { answer, ownId: !readable, operation: ownOperation(pathname) };
    }
    if (pathname.startsWith('/cdn-cgi/')) {
      const answer = (): Response | Promise<Response> => errors.route(request, pathname) ?? errors.notFound(request);
      return { answer, ownId: true, operation: 'error-page' };
    }
    const browsed = explains ? browsedRemote(request, url, hosting) : undefined;
    if (browsed !== undefined) {
      const page = (): Response => bodiless(request, remotePage(request, url, browsed, hosting));
      return { answer: page, account: browsed.account, operation: 'remote-page' };
    }
    const match = remotes.match(url);
    if (match === 'prefix') return { answer: () => refusal(404, 'Not found'), operation: 'git' };
    if (match !== undefined) {
      return { answer: () => git(request, match, requestId, named), account: match.account, operation: 'git' };
    }
    return { answer: () => errors.notFound(request), ownId: true, operation: 'none' };
  };

  const handle = async (request: Request): Promise<Handled> => {
    const started = clock.now();
    let requestId = freshRequestId(hosting);
    const url = new URL(request.url);
    let operation: string | undefined;
    let token: string | undefined;
    const choice = choose(request, url, requestId, (name, id) => ([operation, token] = [name, id]));
    const { answer, account = null, ownId = false, isApi = false } = choice;
    let answered: Response;
    try {
      answered = await answer();
      if (ownId) requestId = errors.rayIdOf(answered) ?? requestId;
    } catch (error) {
      failed(error, requestId);
      answered = refusal(500, 'An internal error occurred.');
    }
    if (isApi) answered = crossOrigin(request, answered, origins, ofApi);
    const response = withHeader(answered, dialect.requestIdHeader, requestId);
    const record: RequestRecord = {
      event: 'request',
      request_id: requestId,
      method: request.method.slice(0, 32),
      path: withoutSecrets(url.pathname),
      operation: operation ?? choice.operation,
      status: response.status,
      ms: Math.max(0, clock.now() - started),
      // A client with a wrong URL may have sent a token in this place.
      account: account === null ? null : withoutSecrets(account),
      ...(token !== undefined && { token }),
    };
    log?.(record);
    return { response, record };
  };
  return async (request) =>
    traces === undefined ? (await handle(request)).response : traces.request(request, () => handle(request));
}

/** Runs `work` at the first call and caches its result. A failure is not cached. */
function keptResult<Result>(work: () => Result): () => Result {
  let result: Result | undefined;
  return () => (result ??= work());
}

/** The handler of a request, and the account that the request names. */
interface Choice {
  readonly answer: () => Response | Promise<Response>;
  /** The operation, unless the handler names a closer one. */
  readonly operation: string;
  readonly account?: string | undefined;
  /** True if the reply has its own id. Body, header and log then have the same id (ERR-085). */
  readonly ownId?: boolean;
  /** True for REST and tags, which pages of listed origins may use (REPO-301). */
  readonly isApi?: boolean;
}

/** Returns the operation of a path of the host: that of `/docs/errors/1015` is `docs`. */
function ownOperation(pathname: string): string {
  return /^\/([a-z]*)/.exec(pathname)?.[1] || 'front-page';
}

function ownPaths(
  options: ServiceOptions,
  errors: Pick<ErrorArea, 'settings'>,
  texts: Readonly<Record<'openapi' | 'docs', () => Uint8Array<ArrayBuffer>>>,
): ReadonlyMap<string, (request: Request) => Response | Promise<Response>> {
  const { hosting, tags, ready = () => true, metrics } = options;
  const { openapi = true, docs = true, healthz = true, readyz = true } = options;
  const paths = new Map<string, (request: Request) => Response | Promise<Response>>();
  const mountPath = mountPathOf(hosting.settings.public_url);
  const jsonType = { 'content-type': 'application/json' };
  const state = (text: string, status: number): Response =>
    textResponse(JSON.stringify({ status: text }), { status, headers: { ...jsonType, 'cache-control': 'no-store' } });
  const description = (): Response => textResponse(texts.openapi(), { status: 200, headers: jsonType });
  if (openapi) paths.set('/openapi.json', (request) => bodiless(request, description()));
  if (docs) {
    paths.set('/docs', (request) => bodiless(request, docsPage(texts.docs())));
    const pages = [
      ['/docs/repos/errors', repoCodesPage] as const,
      ...(tags === undefined ? [] : [['/docs/tags/errors', tagCodesPage] as const]),
      ...platformCodePages(errors.settings, hosting.settings.error_route),
    ];
    for (const [path, make] of pages) {
      const reply = keptPage(() => under(mountPath, make()));
      paths.set(path, (request) => bodiless(request, reply(request)));
    }
    if (hosting.dialect.pages) {
      paths.set('/', async (request) => {
        const page = frontPage({
          hosting,
          isReady: await ready(),
          hasOpenapi: openapi,
          hasTags: tags !== undefined,
          url: new URL(request.url),
        });
        return bodiless(request, pageResponse(request, under(mountPath, page)));
      });
    }
  }
  if (healthz) paths.set('/healthz', (request) => bodiless(request, state('ok', 200)));
  if (readyz) {
    paths.set('/readyz', async (request) =>
      bodiless(request, (await ready()) ? state('ready', 200) : state('not ready', 503)),
    );
  }
  if (metrics !== undefined) paths.set('/metrics', async (request) => bodiless(request, await metrics(request)));
  return paths;
}

function bodiless(request: Request, response: Response): Response {
  return request.method === 'HEAD' ? new Response(null, response) : response;
}

/** Sets a header. Copies the response if its headers are immutable, as those of `Response.redirect` are. */
function withHeader(response: Response, name: string, value: string): Response {
  try {
    response.headers.set(name, value);
    return response;
  } catch {
    const copy = new Response(response.body, response);
    copy.headers.set(name, value);
    return copy;
  }
}
