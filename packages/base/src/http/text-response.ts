const encoder = new TextEncoder();

/** Makes a response of one text. Sets `Content-Length`, which a reply to HEAD needs, too (REPO-039). */
export function textResponse(
  text: string | Uint8Array<ArrayBuffer>,
  init: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
): Response {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text;
  return new Response(bytes, { ...init, headers: { ...init.headers, 'content-length': String(bytes.length) } });
}
