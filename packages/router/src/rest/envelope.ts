import type { RequestWork } from '@packhouse/git';
import type { Dialect, Page, Settings } from '@packhouse/hosting';
import {
  type ErrorItem,
  type HostingError,
  envelopeResponse,
  envelopeText,
  errorHeaders,
  jsonResponse,
  type HoldReply,
} from '@packhouse/base';
import { listResponse, listTexts, type StreamedList } from '../reply/list-response.ts';

/** What a handler answers with. */
export interface Success {
  readonly status: 200 | 201 | 202 | 204;
  readonly result?: unknown;
  /** A list in the place of `result`, which is sent as it is made. */
  readonly list?: StreamedList | undefined;
  /** `result_info` of lists that page. */
  readonly info?: Page<unknown>['info'];
  /** The reply shows the plaintext of a token (REPO-045). */
  readonly secret?: boolean;
}

/**
 * `failed` is called with the error of a reply that has begun. `hold` takes the memory of the reply; default: nobody counts
 * it.
 */
export async function successResponse(
  { status, result, list, info, secret }: Success,
  work: RequestWork,
  failed: (error: unknown) => void,
  hold?: HoldReply,
): Promise<Response> {
  if (status === 204) return new Response(null, { status });
  const headers = secret ? { 'cache-control': 'no-store' } : {};
  if (list !== undefined) return listResponse(envelopeText({ result: [] }), list, work, failed);
  if (!Array.isArray(result)) return envelopeResponse({ result, info }, status, headers, hold);
  let texts = '';
  for await (const text of listTexts([result], work)) texts += text;
  return jsonResponse(
    envelopeText({ result: [], info }).replace('[]', () => `[${texts}]`),
    status,
    headers,
    hold,
  );
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
