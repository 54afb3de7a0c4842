import type { Dialect, ErrorItem, HostingError, Page, Settings } from '@packhouse/hosting';
import { textResponse } from '../text-response.ts';

/** What a handler answers with. */
export interface Success {
  readonly status: 200 | 201 | 202 | 204;
  readonly result?: unknown;
  /** `result_info` of lists that page. */
  readonly info?: Page<unknown>['info'];
  /** The reply shows the plaintext of a token (REPO-045). */
  readonly secret?: boolean;
}

/** REPO-033, REPO-034: members in this order. */
export function successResponse({ status, result, info, secret }: Success): Response {
  if (status === 204) return new Response(null, { status });
  const body = { result, success: true, errors: [], messages: [], ...(info && { result_info: info }) };
  return textResponse(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...(secret && { 'cache-control': 'no-store' }) },
  });
}

/** The reply for an error, with the headers that belong to it (REPO-031, REPO-039, REPO-043, REPO-089). */
export function failureResponse(
  error: HostingError,
  { dialect, settings }: { readonly dialect: Dialect; readonly settings: Settings },
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = {
    result: null,
    success: false,
    errors: error.items.map((item) => errorItem(item, dialect, settings)),
    messages: [],
  };
  return textResponse(JSON.stringify(body), {
    status: error.status,
    headers: {
      'content-type': 'application/json',
      ...(error.kind === 'authentication' && { 'www-authenticate': 'Bearer' }),
      ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
      ...headers,
    },
  });
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
