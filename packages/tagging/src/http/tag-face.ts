import {
  HostingError,
  hasPlainCoding,
  isJsonType,
  readJson,
  type HoldReply,
  type BodyBounds,
  type HoldMemory,
  envelopeResponse,
  errorAdvice,
  errorHeaders,
  repoErrors,
  type Envelope,
} from '@packhouse/base';
import { TaggingError, taggingErrors } from '../model/tagging-error.ts';
import type { Tagging, TagList } from '../model/tagging.ts';
import type { TagRoute } from './tag-route.ts';

/** Reserves memory for tagging requests (LIM-080). */
export interface TagMemory {
  readonly holdMemory: (bytes: number, options: { tenant: string; signal: AbortSignal }) => ReturnType<HoldMemory>;
  readonly holdMemoryAtOnce: (bytes: number, options: { tenant: string }) => ReturnType<HoldReply>;
}

export interface TagFaceOptions {
  readonly tagging: Tagging;
  /** URL of the error documentation, without a final `/`. Undefined: errors have no link. */
  readonly docsBase: string | undefined;
  /** Longest body in bytes (LIM-009). */
  readonly bodyMax: number;
  /**
   * Returns the error for a client if the service lacks a resource such as memory. Default: such failures are internal
   * errors.
   */
  readonly capacityError?: ((error: unknown) => HostingError | undefined) | undefined;
  /** Reserves memory for bodies and replies of an account. Default: no reservation. */
  readonly memory?: TagMemory | undefined;
  /** Receives unexpected failures with the id of the request. Default: no call. */
  readonly failed?: ((error: unknown, requestId: string) => void) | undefined;
}

/**
 * Handles a request of the tagging API. Uses `requestId` only for the log; the caller sets the header. Never rejects.
 */
export type TagFace = (request: Request, route: TagRoute | 'none', requestId: string) => Promise<Response>;

/**
 * Creates the HTTP handler of tagging. It makes the checks that precede those of query and body, in the order of
 * TAG-147 and TAG-148, and writes the replies.
 */
export function tagFace({ tagging, docsBase, bodyMax, capacityError, memory, failed }: TagFaceOptions): TagFace {
  const fail = (error: unknown, requestId: string, headers?: Readonly<Record<string, string>>): Response => {
    if (error instanceof HostingError || error instanceof TaggingError) return tagFailure(error, docsBase, headers);
    failed?.(error, requestId);
    return tagFailure(capacityError?.(error) ?? new HostingError('internal'), docsBase);
  };

  const answer: TagFace = async (request, route, requestId) => {
    if (route === 'none') return fail(new HostingError('noRoute'), requestId);
    const methods = allowed(route);
    if (!methods.includes(request.method)) {
      return fail(new HostingError('noMethod'), requestId, { allow: methods.join(', ') });
    }
    try {
      return await run(request, route);
    } catch (error) {
      return fail(error, requestId);
    }
  };

  const run = async (request: Request, route: TagRoute): Promise<Response> => {
    const writes = request.method === 'PUT' || request.method === 'DELETE';
    const scope = await tagging.admit(request, route.where, writes ? 'write' : 'read');
    const query = new URL(request.url).search;
    // The reply to HEAD is discarded, so it needs no memory.
    const counted = request.method === 'HEAD' ? undefined : memory;
    const holdReply = counted && ((bytes: number) => counted.holdMemoryAtOnce(bytes, { tenant: scope.account }));
    const listed = ({ items, info }: TagList<unknown>): Response => tagSuccess({ result: items, info }, holdReply);
    switch (route.kind) {
      case 'resources':
        return listed(await tagging.resources(scope.account, query));
      case 'keys':
        return listed(await tagging.keys(scope.account, query));
      case 'values':
        return listed(await tagging.values(scope.account, route.key, query));
      case 'summary':
        return listed(await tagging.summary(scope.account, query));
      case 'tags':
        break;
    }
    if (!writes) return tagSuccess({ result: await tagging.get(scope, query) }, holdReply);
    const { signal } = request;
    const hold = memory && ((bytes: number) => memory.holdMemory(bytes, { tenant: scope.account, signal }));
    const body = await readBody(request, { max: bodyMax, hold });
    const ifMatch = request.headers.get('if-match');
    if (request.method === 'PUT') return tagSuccess({ result: await tagging.set(scope, body, ifMatch) });
    await tagging.delete(scope, body, ifMatch);
    return tagSuccess();
  };

  return async (request, route, requestId) => {
    const response = await answer(request, route, requestId);
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
}

/** Methods of a route (TAG-011). */
function allowed({ kind }: TagRoute): readonly string[] {
  return kind === 'tags' ? ['GET', 'HEAD', 'PUT', 'DELETE'] : ['GET', 'HEAD'];
}

/**
 * Reads a JSON body. Returns `undefined` for a malformed one. An unsupported content coding is refused like a media
 * type (TAG-183).
 */
async function readBody(request: Request, bounds: BodyBounds): Promise<unknown> {
  const { headers } = request;
  if (!hasPlainCoding(headers) || !isJsonType(headers.get('content-type'))) throw new HostingError('mediaType');
  return await readJson(request, bounds);
}

/** Headers that forbid caching any reply (TAG-014). */
const uncached = { 'cache-control': 'no-store' };

/** Makes a successful reply; without `result` it has no body (TAG-003). */
function tagSuccess(said?: Extract<Envelope, { result: unknown }>, hold?: HoldReply): Response {
  return said === undefined
    ? new Response(null, { status: 204, headers: uncached })
    : envelopeResponse(said, 200, uncached, hold);
}

/**
 * Makes a failure reply with one item in `errors`, and one in `messages` if the error has details (TAG-021 to TAG-025).
 */
function tagFailure(
  error: HostingError | TaggingError,
  docsBase: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { code, message, pointer } = error instanceof TaggingError ? error : error.items[0];
  const item = {
    code,
    message,
    ...(docsBase !== undefined && { documentation_url: `${docsBase}/tags/errors#${code}` }),
    ...(pointer !== undefined && { source: { pointer } }),
    ...errorAdvice(error instanceof TaggingError ? taggingErrors[error.kind] : repoErrors[error.kind]),
  };
  const detail = error instanceof TaggingError ? error.detail : undefined;
  const messages = detail === undefined ? [] : [{ code, message: detail }];
  return envelopeResponse({ errors: [item], messages }, error.status, {
    ...uncached,
    ...(error instanceof HostingError && errorHeaders(error)),
    ...headers,
  });
}
