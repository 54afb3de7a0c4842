import type { Dialect, ErrorItem, HostingError, Page, Settings } from '@packhouse/hosting';
import { envelopeResponse, errorHeaders } from '../json/envelope.ts';

/** What a handler answers with. */
export interface Success {
  readonly status: 200 | 201 | 202 | 204;
  readonly result?: unknown;
  /** `result_info` of lists that page. */
  readonly info?: Page<unknown>['info'];
  /** The reply shows the plaintext of a token (REPO-045). */
  readonly secret?: boolean;
}

export function successResponse({ status, result, info, secret }: Success): Response {
  if (status === 204) return new Response(null, { status });
  return envelopeResponse({ result, info }, status, secret ? { 'cache-control': 'no-store' } : {});
}

/** The reply for an error, with the headers that belong to it (REPO-039 for `headers`). */
export function failureResponse(
  error: HostingError,
  { dialect, settings }: { readonly dialect: Dialect; readonly settings: Settings },
  headers: Readonly<Record<string, string>> = {},
): Response {
  const errors = error.items.map((item) => errorItem(item, dialect, settings));
  return envelopeResponse({ errors }, error.status, { ...errorHeaders(error), ...headers });
}

function errorItem({ code, message, pointer }: ErrorItem, dialect: Dialect, settings: Settings): object {
  return {
    code,
    message,
    documentation_url: dialect.errorDocumentation
      .replace('{docs_base}', () => settings.docs_base)
      .replace('{code}', String(code)),
    ...(pointer !== undefined && { source: { pointer } }),
  };
}
