import type { Begun } from './read-ahead.ts';

/** Bytes of a body. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Of the error that a relayed body breaks off with. Known to every copy of this package. */
const relayed = Symbol.for('@packhouse/problem-details/relayed');

/** Whether a body broke off that was relayed already, so that somebody was told why. */
export const isRelayedBreak = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && Object.hasOwn(thrown, relayed);

/**
 * The same body, read no faster than it is asked for. `broke` is told why it breaks off. The reader of the body is told
 * no more than that it does: a server that has sent nothing yet may answer with the message of the error.
 */
export const relay = (
  reader: ReadableStreamDefaultReader<Bytes>,
  begun: Begun,
  broke: (thrown: unknown) => void,
): ReadableStream<Bytes> => {
  const chunks = [...begun.chunks];
  let { reading } = begun;
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const chunk = chunks.shift();
        if (chunk !== undefined) return controller.enqueue(chunk);
        try {
          const { done, value } = await (reading ?? reader.read());
          reading = undefined;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (thrown) {
          broke(thrown);
          controller.error(Object.assign(new Error('The body broke off.'), { [relayed]: true }));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
};
