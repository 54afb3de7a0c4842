import type { RequestRecord, Span, Tracing } from '@packhouse/base';
import type { RepoStorage } from '@packhouse/hosting';
import { tracedBody, untilRead } from './traced-body.ts';
import { tracedStorage } from './traced-storage.ts';

/** A request that was handled. */
export interface Handled {
  readonly response: Response;
  readonly record: RequestRecord;
}

/** The spans of a service: of each request, and below it of its commit and pack (REPO-345). */
export interface Traces {
  /** Handles a request in its span, which ends with the body of the reply. */
  request(request: Request, handle: () => Promise<Handled>): Promise<Response>;
  /** Makes the body of a reply in a span of this name, which ends with the body. */
  body<Body extends ReadableStream<Uint8Array> | Uint8Array>(
    name: string,
    make: () => Promise<Body>,
  ): Promise<Body | ReadableStream<Uint8Array>>;
  /** Wraps the storage of repositories, so that each commit of a change has a span. */
  storage(storage: RepoStorage): RepoStorage;
}

/** Makes the spans that `tracing` receives. A service without tracing loads nothing of this. */
export function tracesOf(tracing: Tracing): Traces {
  return {
    async request({ headers }, handle) {
      const span = tracing.request(headers);
      const { response, record } = await span.run(handle);
      return tracedReply(response, record, span);
    },
    body: (name, make) => tracedBody(tracing.child(name), make),
    storage: (storage) => tracedStorage(storage, tracing),
  };
}

/** Ends the span of a request with the body of its reply. The span names no account and no path. */
function tracedReply(
  response: Response,
  { operation, method, status, request_id }: RequestRecord,
  span: Span,
): Response {
  const end = (isBroken: boolean): void => {
    const attributes = {
      'http.request.method': method,
      'http.response.status_code': status,
      'packhouse.request_id': request_id,
    };
    span.end({ name: operation, attributes, failed: isBroken || status >= 500 });
  };
  if (response.body !== null) return new Response(untilRead(response.body, span, end), response);
  end(false);
  return response;
}
