import { fromByteText } from '../bytes/byte-text.ts';
import { concatenate } from '../bytes/concatenate.ts';
import type { HeldMemory } from '../content/held-memory.ts';
import type { ObjectId } from '../object/object-id.ts';
import { deflatePiece, type Codec } from '../ports/codec.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { deflateInTurns } from '../pack/deflate-in-turns.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import { archiveLevel, compressPieces } from './compress-pieces.ts';
import { JoinedPieces, pieceSize } from './joined-pieces.ts';
import { centralHeader, descriptor, endRecords, localHeader, zipTime, type ZipEntry, type ZipTime } from './zip.ts';

/** Files up to this size are compressed before their header is written, so that it has their size. */
const wholeMax = 512 * 1024;
/** Files from this size on are compressed aside, which takes longer to begin than a smaller file takes in all. */
const asideMin = 16 * 1024;
/** Bytes that wait for a file that is compressed aside. */
const waitingMax = 1024 * 1024;
/** Files that are compressed aside at once: a runtime has few threads, and a stream of zlib takes 268 kB. */
const asideMax = 8;
const asideMemory = 268 * 1024;
/** Bytes that an entry holds beside its content and its path. */
const entryMemory = 512;

/** Bytes whose compression takes as long as beginning and ending a stream. */
const deflatedMin = 1024;

const none = new Uint8Array(0);

interface ZipContext {
  readonly codec: Codec;
  /** Holds the central directory, and what waits. */
  readonly memory: HeldMemory;
  readonly work: Work;
}

/** An entry whose content is at hand, in the order of the archive. */
interface WaitingEntry {
  readonly found: FoundEntry;
  readonly content: Uint8Array;
  readonly deflated: Uint8Array | Promise<Uint8Array>;
  readonly held: number;
}

/** Yields a zip archive in pieces. Its comment is the id of the commit, as Git has it. */
export async function* zipPieces(
  entries: AsyncGenerator<ArchiveEntry, void, undefined>,
  { commit, time: seconds }: { readonly commit: ObjectId; readonly time: number },
  context: ZipContext,
): AsyncGenerator<Uint8Array, void, undefined> {
  const time = zipTime(seconds);
  const { codec, memory, work } = context;
  const directory: Uint8Array[] = [];
  const output = new JoinedPieces();
  const waiting: WaitingEntry[] = [];
  let [waitingBytes, asideCount] = [0, 0];
  const enter = async (entry: ZipEntry): Promise<void> => {
    const header = centralHeader(entry, time);
    await memory.add(2 * header.length);
    directory.push(header);
  };
  const isFirstDue = (): boolean =>
    waitingBytes > waitingMax || asideCount > asideMax || waiting[0]?.deflated instanceof Uint8Array;
  const addFirst = async (): Promise<void> => {
    const { found, content, deflated, held } = waiting.shift() as WaitingEntry;
    waitingBytes -= held;
    if (deflated instanceof Promise) asideCount -= 1;
    await enter(addWhole(output, codec, { ...found, offset: output.total }, content, await deflated, time));
  };
  if (codec.deflateAside !== undefined) await memory.add(2 * (waitingMax + wholeMax) + asideMax * asideMemory);
  for await (const { kind, isExecutable, path, size, content } of entries) {
    const found = { kind, isExecutable, path: fromByteText(path), size };
    if (content === undefined || (content instanceof Uint8Array && content.length <= wholeMax)) {
      const aside = kind === 'file' && size >= asideMin ? codec.deflateAside : undefined;
      // The content is valid until the next entry is asked for.
      const own = aside !== undefined || waiting.length > 0 ? (content ?? none).slice() : (content ?? none);
      if (aside !== undefined && work.spend(cost.deflated, size)) await work.yield();
      const deflated = aside?.(own, { level: archiveLevel, isLast: true }) ?? (await deflate(own, kind, codec, work));
      if (deflated instanceof Promise) {
        // A failure is thrown when its turn comes.
        deflated.catch(() => {});
        asideCount += 1;
      }
      const held = size + path.length + entryMemory;
      waiting.push({ found, content: own, deflated, held });
      waitingBytes += held;
      while (isFirstDue()) await addFirst();
    } else {
      while (waiting.length > 0) await addFirst();
      const start = { ...found, offset: output.total };
      const parts = streamedEntry(content instanceof Uint8Array ? slices(content) : content, start, time, context);
      try {
        let next = await parts.next();
        for (; next.done !== true; next = await parts.next()) {
          output.add(next.value);
          yield* output.filled();
        }
        await enter(next.value);
      } finally {
        // A client that left needs no result.
        await parts.return(undefined as never);
      }
    }
    if (output.isFull) yield* output.filled();
  }
  while (waiting.length > 0) await addFirst();
  const offset = output.total;
  for (const header of directory) {
    output.add(header);
    if (output.isFull) yield* output.filled();
  }
  output.add(endRecords({ count: directory.length, size: output.total - offset, offset }, commit));
  yield* output.filled();
  yield* output.rest();
}

type EntryParts = AsyncGenerator<Uint8Array, ZipEntry, undefined>;
type FoundEntry = Pick<ZipEntry, 'kind' | 'isExecutable' | 'path' | 'size'>;
type StartedEntry = FoundEntry & Pick<ZipEntry, 'offset'>;

function addWhole(
  output: JoinedPieces,
  codec: Codec,
  started: StartedEntry,
  content: Uint8Array,
  deflated: Uint8Array,
  time: ZipTime,
): ZipEntry {
  const isDeflated = deflated.length < content.length;
  const stored = isDeflated ? deflated : content;
  const entry = { ...started, crc: codec.crc32(content), compressed: stored.length, isDeflated, hasDescriptor: false };
  output.add(localHeader(entry, time));
  output.add(stored);
  return entry;
}

/** Compresses content to a bare deflate stream: without the two bytes at the start of a zlib stream and four at its end. */
async function deflate(content: Uint8Array, kind: ZipEntry['kind'], codec: Codec, work: Work): Promise<Uint8Array> {
  if (kind !== 'file') return content;
  if (content.length <= deflatePiece) {
    if (work.spend(cost.deflated, deflatedMin + content.length)) await work.yield();
    return codec.deflate(content, archiveLevel).subarray(2, -4);
  }
  const parts: Uint8Array[] = [];
  for await (const part of deflateInTurns(codec, content, archiveLevel, work)) parts.push(part);
  return concatenate(parts).subarray(2, -4);
}

async function* streamedEntry(
  content: AsyncGenerator<Uint8Array, void, undefined>,
  started: StartedEntry,
  time: ZipTime,
  { codec, work }: ZipContext,
): EntryParts {
  const entry = { ...started, crc: 0, compressed: 0, isDeflated: true, hasDescriptor: true };
  yield localHeader(entry, time);
  let [crc, compressed] = [0, 0];
  const summed = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of content) {
      crc = codec.crc32(piece, crc);
      yield piece;
    }
  };
  for await (const piece of compressPieces('deflate-raw', summed(), codec, work)) {
    compressed += piece.length;
    yield piece;
  }
  const known = { ...entry, crc, compressed };
  yield descriptor(known);
  return known;
}

async function* slices(content: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < content.length; at += pieceSize) yield content.slice(at, at + pieceSize);
}
