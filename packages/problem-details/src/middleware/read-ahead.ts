/** Bytes that are held at most, beyond a single chunk of any size, to see whether a body comes to its end at once. */
const longestReadAhead = 1_048_576;

/** The begin of a body. */
export interface Begun {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** Whether `chunks` are all of it. */
  readonly ended: boolean;
  /** The read that is under way, if one is; what it rejects with is no unhandled rejection. */
  readonly reading?: Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>>;
}

/** Reads what a body has ready, and no longer than one turn of the event loop. Never rejects. */
export const readAhead = async (reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<Begun> => {
  const later = new Promise<undefined>((resolve) => setTimeout(resolve, 0, undefined));
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const reading = reader.read();
    const result = await Promise.race([reading, later]).catch(() => undefined);
    if (result === undefined) return { chunks, ended: false, reading };
    if (result.done) return { chunks, ended: true };
    // Text, which Bun allows, is left as it is.
    if (!(result.value instanceof Uint8Array)) return { chunks, ended: false, reading };
    chunks.push(result.value);
    length += result.value.length;
    if (chunks.length > 1 && length > longestReadAhead) return { chunks, ended: false };
  }
};
