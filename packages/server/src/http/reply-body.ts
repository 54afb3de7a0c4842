/** A chunk, which may be empty if more follow, or the end of the body. */
export type Step = ReadableStreamReadResult<Uint8Array<ArrayBuffer>>;

/** The body of a reply, read one chunk at a time when the socket has room. */
export class ReplyBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  /** Reads that {@link ReplyBody.only} has begun. */
  #underWay: Promise<Step>[] = [];
  #abandoned: Promise<void> | undefined;

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = body.getReader();
  }

  /**
   * Returns the whole body if it has at most one chunk and ends without waiting for I/O, so that the reply can state
   * its length. Returns undefined otherwise. {@link ReplyBody.next} still returns every chunk. Call this before `next`.
   */
  async only(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const first = this.#read();
    const ahead = first.then((step) => (step.done ? step : this.#read()));
    // `next` awaits it later. Until then, its rejection must not count as unhandled.
    ahead.catch(() => undefined);
    this.#underWay = [first, ahead];
    const step = await first.catch(() => undefined);
    if (step === undefined) return undefined;
    if (step.done) return new Uint8Array(0);
    return (await endsAtOnce(ahead)) ? step.value : undefined;
  }

  /** True while {@link ReplyBody.next} returns what {@link ReplyBody.only} has begun to read. */
  get hasReadAhead(): boolean {
    return this.#underWay.length > 0;
  }

  /** Returns the next chunk or the end. Rejects with the error of the body. */
  next(): Promise<Step> {
    return this.#underWay.shift() ?? this.#reader.read();
  }

  /**
   * Cancels the body and a pending read, so that no producer waits for a client that has gone. Resolves when the
   * producer has ended. Further calls return the same promise, because a second cancel would not wait for the first.
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

/** Returns true if the pending read reports the end of the body without waiting for I/O. */
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
