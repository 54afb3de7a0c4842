import { heldResponse, type HoldReply } from './held-response.ts';

/** Content of a reply with a body (REPO-033). */
export type Envelope =
  | { readonly result: unknown; readonly info?: object | undefined }
  | { readonly errors: readonly object[]; readonly messages?: readonly object[] };

/** Makes a reply with members in the order of REPO-033, and `result_info` on paginated lists (REPO-034). */
export function envelopeResponse(
  said: Envelope,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  hold?: HoldReply,
): Response {
  return jsonResponse(envelopeText(said), status, headers, hold);
}

/** Serializes an envelope as JSON. */
export function envelopeText(said: Envelope): string {
  return JSON.stringify(
    'errors' in said
      ? { result: null, success: false, errors: said.errors, messages: said.messages ?? [] }
      : { result: said.result, success: true, errors: [], messages: [], ...(said.info && { result_info: said.info }) },
  );
}

/** Makes a reply from serialized JSON. */
export function jsonResponse(
  text: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  hold?: HoldReply,
): Response {
  return heldResponse(text, { status, headers: { 'content-type': 'application/json', ...headers } }, hold);
}

/** Returns the headers that an error requires (REPO-031, REPO-043, REPO-089). */
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
