/**
 * The body of a response as text, in UTF-8 as JSON has it whatever a `charset` says (RFC 8259 §8.1, §11), while the
 * response stays readable: a copy is read.
 *
 * @param limit Bytes.
 * @returns Nothing if there is no body, or a longer one.
 * @throws TypeError if the body was read before; and whatever breaks it off.
 */
export async function readText(response: Response, limit: number): Promise<string | undefined> {
  if (response.body === null || Number(response.headers.get('Content-Length')) > limit) return undefined;
  const reader = response.clone().body?.getReader();
  if (reader === undefined) return undefined;
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > limit) {
      // Not awaited: half of a split stream is cancelled only when the other half is, which is the caller's.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
