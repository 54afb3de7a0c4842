import { concatenate } from '../bytes/concatenate.ts';
import { WorkAbortedError } from '../work/scheduler.ts';
import { replyStream, type ReplyOptions } from './reply-stream.ts';

/** Bytes of a list that are collected before a reply starts. A shorter list is sent in one piece. */
const gatheredMax = 256 * 1024;

export interface ListOptions extends Pick<ReplyOptions, 'released'> {
  /** Receives the unexpected error that stopped a reply after its start, for logs. */
  readonly failed: (error: unknown) => void;
}

/** Makes a reply of lines: whole if it is short, so that its length is known, otherwise as a stream. */
export async function listReply(
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  { failed, released }: ListOptions,
): Promise<ReadableStream<Uint8Array> | Uint8Array> {
  const gathered: Uint8Array[] = [];
  for (let size = 0; size < gatheredMax;) {
    const { value } = await pieces.next();
    if (value === undefined) return concatenate(gathered);
    gathered.push(value);
    size += value.length;
  }
  return replyStream(following(concatenate(gathered), pieces), {
    keepAlive: undefined,
    ...(released === undefined ? {} : { released }),
    failure: (error) => {
      if (!(error instanceof WorkAbortedError)) failed(error);
      return undefined;
    },
  });
}

async function* following(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield first;
  yield* rest;
}
