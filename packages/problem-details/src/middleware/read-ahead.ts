/** Maximum bytes to hold, beyond a single chunk of any size, while testing if a body ends at once. */
const longestReadAhead = 1_048_576;

/** The beginning of a body. */
export interface Begun {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** True if `chunks` are the whole body. */
  readonly ended: boolean;
  /** The pending read, if any. Its rejection counts as handled. */
  readonly reading?: Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>>;
}

/** Reads the chunks that a body has ready, for at most one turn of the event loop. Never rejects. */
export const readAhead = async (reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<Begun> => {
  const later = new Promise<undefined>((resolve) => setTimeout(resolve, 0, undefined));
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const reading = reader.read();
    const result = await Promise.race([reading, later]).catch(() => undefined);
    if (result === undefined) return { chunks, ended: false, reading };
    if (result.done) return { chunks, ended: true };
    // Bun allows text chunks; pass them on unread.
    if (!(result.value instanceof Uint8Array)) return { chunks, ended: false, reading };
    chunks.push(result.value);
    length += result.value.length;
    if (chunks.length > 1 && length > longestReadAhead) return { chunks, ended: false };
  }
};
