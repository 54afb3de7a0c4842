/**
 * Reads the body of a response as UTF-8, as JSON requires regardless of `charset` (RFC 8259 §8.1, §11). Reads a clone,
 * so that the response stays readable.
 *
 * @param limit in bytes.
 * @returns undefined without a body, or with a longer one.
 * @throws TypeError if the body was read before; also the error that breaks it off.
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
      // Do not await: cancelling one branch of a tee resolves only when the caller cancels the other.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
