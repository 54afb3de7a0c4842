/** What became of a reply. */
export interface SentReply {
  /** Bytes of the body that the runtime took. */
  readonly bytes: number;
  /** False if the client went away or the body failed. */
  readonly whole: boolean;
  /** What the body failed with. */
  readonly failure?: unknown;
}

/** A reply for a runtime to send, and when it has taken all of it. */
export interface RuntimeReply {
  readonly response: Response;
  readonly sent: Promise<SentReply>;
  /** Ends the body because its client has left: not every runtime tells the stream. */
  readonly abandon: () => void;
}

/**
 * Makes a service's response ready for a runtime: a body of one chunk gets its length, a longer one is asked for its
 * next chunk when the runtime has room, and a failing one makes the runtime cut the connection. `bodyless`: the reply
 * to a HEAD, or one of a status without content. `ending` is called just before the runtime gets the end. `gathered`: bytes
 * up to which a body whose length is told is sent at once, for a runtime that tells no length of a stream.
 */
export async function toRuntime(
  response: Response,
  bodyless: boolean,
  ending: () => void,
  gathered = 0,
): Promise<RuntimeReply> {
  const { status, statusText, headers, body } = response;
  const made = (content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null): Response =>
    new Response(content, { status, statusText, headers });
  const atOnce = (whole: Response, bytes: number): RuntimeReply => {
    ending();
    return { response: whole, sent: Promise.resolve({ bytes, whole: true }), abandon: () => undefined };
  };
  if (bodyless) {
    await body?.cancel().catch(() => undefined);
    // Runtimes make a length of 0 of no body, which would be a lie about that of GET; Bun does of an empty stream too,
    // but keeps the length that stands beside no body.
    const lengthKnown = status === 204 || status === 304 || headers.has('content-length');
    const nothing = lengthKnown ? null : new ReadableStream({ pull: (one) => one.close() }, { highWaterMark: 0 });
    return atOnce(made(nothing), 0);
  }
  if (body === null) return atOnce(made(null), 0);

  const reader = body.getReader();
  const first = nextChunk(reader);
  const ahead = first.then((step) => (step.done ? step : nextChunk(reader)));
  // Awaited below or by the stream; until then a failure must not count as unhandled.
  ahead.catch(() => undefined);
  const only = await first.catch(() => undefined);
  if (only !== undefined && (only.done || (await endsAtOnce(ahead)))) {
    const content = only.value ?? new Uint8Array(0);
    return atOnce(made(content), content.byteLength);
  }
  const told = Number(headers.get('content-length') ?? Infinity);
  const all = told > gathered ? undefined : await gather(reader, [first, ahead], told);
  if (all instanceof Uint8Array) return atOnce(made(all), all.byteLength);
  const { stream, ...rest } = restOf(reader, all ?? [first, ahead], ending);
  return { response: made(stream), ...rest };
}

type Step = ReadableStreamReadResult<Uint8Array<ArrayBuffer>>;

async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<Step> {
  for (;;) {
    const step = await reader.read();
    if (step.done || step.value.byteLength > 0) return step;
  }
}

/** All of a body of that length; what is left to say of one that is none, or fails. */
async function gather(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  underWay: readonly Promise<Step>[],
  length: number,
): Promise<Uint8Array<ArrayBuffer> | Promise<Step>[]> {
  const whole = new Uint8Array(length);
  let at = 0;
  try {
    for (let i = 0; ; i++) {
      const step = await (underWay[i] ?? nextChunk(reader));
      if (step.done) break;
      whole.set(step.value, at);
      at += step.value.byteLength;
    }
    if (at < length) throw new Error('The body ended before its length');
    return whole;
  } catch (failure) {
    await reader.cancel(failure).catch(() => undefined);
    const broken = Promise.reject<Step>(failure);
    broken.catch(() => undefined);
    return [broken];
  }
}

/** Chunks that are on their way already, then all that follow. */
function restOf(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  underWay: Promise<Step>[],
  ending: () => void,
): Omit<RuntimeReply, 'response'> & { readonly stream: ReadableStream<Uint8Array> } {
  const sent = Promise.withResolvers<SentReply>();
  let bytes = 0;
  let abandoned: Promise<void> | undefined;
  /** Also called when it has begun: a second cancel would not wait for the first one. */
  const abandon = (): Promise<void> => (abandoned ??= leave());
  const leave = async (): Promise<void> => {
    // Ends a read that is under way, so a client that is gone leaves no producer waiting.
    await reader.cancel(new Error('The client closed the connection')).catch(() => undefined);
    // After that: a stop must wait until the producer has ended.
    sent.resolve({ bytes, whole: false });
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller): Promise<void> {
        let step: Step;
        try {
          step = await (underWay.shift() ?? nextChunk(reader));
        } catch (failure) {
          sent.resolve({ bytes, whole: false, failure });
          throw failure;
        }
        // The read was cancelled, which looks like an end and is none.
        if (abandoned !== undefined) throw new Error('The reply was broken off');
        if (step.done) {
          sent.resolve({ bytes, whole: true });
          ending();
          controller.close();
          return;
        }
        bytes += step.value.byteLength;
        controller.enqueue(step.value);
      },
      cancel: abandon,
    },
    { highWaterMark: 0 },
  );
  return { stream, sent: sent.promise, abandon: () => void abandon() };
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
