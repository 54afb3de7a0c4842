/** A chunk, which may be empty in a body of many, or the end. */
export type Step = ReadableStreamReadResult<Uint8Array<ArrayBuffer>>;

/** The body of a reply, read a chunk at a time when the socket has room. */
export class ReplyBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  /** Reads that were begun by {@link ReplyBody.only}. */
  #underWay: Promise<Step>[] = [];
  #abandoned: Promise<void> | undefined;

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = body.getReader();
  }

  /**
   * The whole body, if it has one chunk at most and ends there without waiting for any I/O: its length can be told.
   * Undefined otherwise. Takes nothing: the chunks still come from {@link ReplyBody.next}. To be called first.
   */
  async only(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const first = this.#read();
    const ahead = first.then((step) => (step.done ? step : this.#read()));
    // Awaited by `next`; until then a failure must not count as unhandled.
    ahead.catch(() => undefined);
    this.#underWay = [first, ahead];
    const step = await first.catch(() => undefined);
    if (step === undefined) return undefined;
    if (step.done) return new Uint8Array(0);
    return (await endsAtOnce(ahead)) ? step.value : undefined;
  }

  /** The next chunk, or the end. Rejects as the body does. */
  next(): Promise<Step> {
    return this.#underWay.shift() ?? this.#reader.read();
  }

  /**
   * Cancels the body, and a read that is under way, so that a client that has gone leaves no producer waiting. Resolves
   * when the producer has ended, also when called again: a second cancel would not wait for the first one.
   */
  abandon(): Promise<void> {
    this.#abandoned ??= this.#reader.cancel(new Error('The client closed the connection')).catch(() => undefined);
    return this.#abandoned;
  }

  async #read(): Promise<Step> {
    for (;;) {
      const step = await this.#reader.read();
      if (step.done || step.value.byteLength > 0) return step;
    }
  }
}

/** Whether the read that is under way says, without waiting for any I/O, that the body has ended. */
async function endsAtOnce(next: Promise<Step>): Promise<boolean> {
  const soon = new Promise<false>((resolve) => {
    setImmediate(resolve, false);
  });
  return await Promise.race([
    next.then(
      (step) => step.done,
      () => false,
    ),
    soon,
  ]);
}
