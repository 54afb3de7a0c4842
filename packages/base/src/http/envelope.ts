import { heldResponse, type HoldReply } from './held-response.ts';

/** What a reply with a body says (REPO-033). */
export type Envelope =
  | { readonly result: unknown; readonly info?: object | undefined }
  | { readonly errors: readonly object[]; readonly messages?: readonly object[] };

/** A reply with a body: members in this order, `result_info` on lists that page (REPO-033, REPO-034). */
export function envelopeResponse(
  said: Envelope,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  hold?: HoldReply,
): Response {
  return jsonResponse(envelopeText(said), status, headers, hold);
}

/** The JSON of an envelope. */
export function envelopeText(said: Envelope): string {
  return JSON.stringify(
    'errors' in said
      ? { result: null, success: false, errors: said.errors, messages: said.messages ?? [] }
      : { result: said.result, success: true, errors: [], messages: [], ...(said.info && { result_info: said.info }) },
  );
}

/** A reply with a text of JSON. */
export function jsonResponse(
  text: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  hold?: HoldReply,
): Response {
  return heldResponse(text, { status, headers: { 'content-type': 'application/json', ...headers } }, hold);
}

/** Headers that belong to an error (REPO-031, REPO-043, REPO-089). */
export function errorHeaders({
  kind,
  retryAfter,
}: {
  readonly kind: string;
  readonly retryAfter: number | undefined;
}): Readonly<Record<string, string>> {
  return {
    ...(kind === 'authentication' && { 'www-authenticate': 'Bearer' }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  };
}
