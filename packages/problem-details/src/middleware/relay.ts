import type { Begun } from './read-ahead.ts';

/** Bytes of a body. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Marks the error of a relayed body that breaks off. All copies of this package know it. */
const relayed = Symbol.for('@packhouse/problem-details/relayed');

/** Tests if an error is from a body that was relayed already, so that the break was reported. */
export const isRelayedBreak = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && Object.hasOwn(thrown, relayed);

/**
 * Relays a body with backpressure. Calls `broke` with the reason if it breaks off. The reader gets an error without
 * details, since a server that has sent nothing yet may put its message into the reply.
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
