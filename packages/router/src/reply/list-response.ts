import { cost, WorkAbortedError, type RequestWork } from '@packhouse/git';

/**
 * A list that is produced while it is sent. It holds memory until all its pieces have been read, or until `release`.
 */
export interface StreamedList {
  pieces(): AsyncIterable<readonly unknown[]>;
  /** Idempotent. */
  release(): void;
}

/** Number of items that become one chunk. */
const together = 64;

/** Yields the JSON of a list in chunks, without brackets. Each chunk except the first begins with a comma. */
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
 * Streams an envelope whose list is produced while the client reads. The list is inserted at the first `[]` of
 * `envelope`, which is JSON.
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
        // `return` on a generator that has not started does not run its `finally`, so release the list here.
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
