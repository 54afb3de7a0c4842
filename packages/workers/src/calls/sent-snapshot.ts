import type { RefRecord, RepoSnapshot } from '@packhouse/git';
import type { RefLine, SentSnapshot } from './repo-calls.ts';

/** Bytes of refs that may travel in one message, of which 32 MiB are allowed. */
const messageMax = 16 * 1_048_576;

/** Bytes of one ref in a message, beside its name: ids, names of members, and room to be wrong. */
const refSize = 200;

const refsInLine = 1_000;

/** Makes a snapshot ready to travel. */
export function sendSnapshot(snapshot: RepoSnapshot, max: number = messageMax): SentSnapshot {
  let size = 0;
  for (const { name } of snapshot.refs) size += refSize + 2 * name.length;
  if (size <= max) return { snapshot };
  return { snapshot: { ...snapshot, refs: [] }, refs: linesOf(snapshot.refs) };
}

/** The snapshot at the other end. */
export async function receiveSnapshot({ snapshot, refs }: SentSnapshot): Promise<RepoSnapshot> {
  return refs === undefined ? snapshot : { ...snapshot, refs: await refsOf(refs) };
}

/** One state, however long the reader takes: the list was read before. */
function linesOf(refs: readonly RefRecord[]): ReadableStream<Uint8Array> {
  let next = 0;
  const encoder = new TextEncoder();
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const line: RefLine = refs.slice(next, next + refsInLine);
      next += refsInLine;
      controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      if (next >= refs.length) controller.close();
    },
  });
}

async function refsOf(lines: ReadableStream<Uint8Array>): Promise<readonly RefRecord[]> {
  const refs: RefRecord[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of lines) {
    const texts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = texts.pop() ?? '';
    for (const text of texts) for (const ref of JSON.parse(text) as RefLine) refs.push(ref);
  }
  return refs;
}
