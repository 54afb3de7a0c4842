import { cost, WorkAbortedError, type RequestWork } from '@packhouse/git';

/** A list that is not made before it is sent. It holds memory until its pieces are taken, or it is released. */
export interface StreamedList {
  pieces(): AsyncIterable<readonly unknown[]>;
  /** Idempotent. */
  release(): void;
}

/** Items that are written in one go. */
const together = 64;

/** The JSON of a list, without its brackets, some items at a time; each portion but the first begins with a comma. */
export async function* listTexts(
  pieces: Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>,
  work: RequestWork,
): AsyncGenerator<string, void, undefined> {
  let separator = '';
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += together) {
      const text = JSON.stringify(piece.slice(at, at + together)).slice(1, -1);
      if (work.spend(cost.parsed, text.length)) await work.yield();
      yield separator + text;
      separator = ',';
    }
  }
}

/**
 * Streams an envelope around a list that is made as it is read. `envelope` is its JSON with an empty list, which comes
 * first of all lists there.
 */
export function listResponse(
  envelope: string,
  list: StreamedList,
  work: RequestWork,
  failed: (error: unknown) => void,
): Response {
  const at = envelope.indexOf('[]') + 1;
  const encoder = new TextEncoder();
  const texts = framed(envelope.slice(0, at), listTexts(list.pieces(), work), envelope.slice(at));
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await texts.next();
          if (done === true) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          if (!(error instanceof WorkAbortedError)) failed(error);
          controller.error(error);
        }
      },
      async cancel() {
        await texts.return();
        // A generator that has not begun runs nothing when it is ended.
        list.release();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: 200, headers: { 'content-type': 'application/json' } });
}

async function* framed(
  head: string,
  texts: AsyncGenerator<string, void, undefined>,
  tail: string,
): AsyncGenerator<string, void, undefined> {
  yield head;
  yield* texts;
  yield tail;
}
