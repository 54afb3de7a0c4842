import type { RequestWork } from '@packhouse/git';
import type { Dialect, Page, Settings } from '@packhouse/hosting';
import {
  type ErrorItem,
  type HostingError,
  envelopeResponse,
  envelopeText,
  errorAdvice,
  errorHeaders,
  jsonResponse,
  repoErrors,
  type HoldReply,
} from '@packhouse/base';
import { listResponse, listTexts, type StreamedList } from '../reply/list-response.ts';

/** The result of a handler. */
export interface Success {
  readonly status: 200 | 201 | 202 | 204;
  readonly result?: unknown;
  /** True if the request changed nothing, so that the status may be another one. Default: false. */
  readonly isIdle?: boolean;
  /** A streamed list in place of `result`. */
  readonly list?: StreamedList | undefined;
  /** The member `result_info` of a list with pages. */
  readonly info?: Page<unknown>['info'] | undefined;
  /** True if the reply has the plaintext of a token, so that it must not be cached (REPO-045). */
  readonly secret?: boolean;
}

/**
 * Makes the reply of a success in the envelope.
 *
 * @param failed Receives the error if a streamed list fails after the reply has begun.
 * @param hold Reserves memory for the reply. Default: no reservation.
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

/** Makes the reply for an error, with the headers of the error and `headers` (`Allow` of REPO-039). */
export function failureResponse(
  error: HostingError,
  { dialect, settings }: { readonly dialect: Dialect; readonly settings: Settings },
  headers: Readonly<Record<string, string>> = {},
): Response {
  const errors = error.items.map((item) => errorItem({ kind: error.kind, ...item }, dialect, settings));
  return envelopeResponse({ errors }, error.status, { ...errorHeaders(error), ...headers });
}

function errorItem(
  { kind, code, message, pointer, details }: ErrorItem & Pick<HostingError, 'kind'>,
  dialect: Dialect,
  settings: Settings,
): object {
  return {
    code,
    message,
    documentation_url: dialect.errorDocumentation
      .replace('{docs_base}', () => settings.docs_base)
      .replace('{code}', String(code)),
    ...(pointer !== undefined && { source: { pointer } }),
    ...errorAdvice(repoErrors[kind]),
    ...(details !== undefined && { details }),
  };
}
