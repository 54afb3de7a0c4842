import { fromByteText } from '../bytes/byte-text.ts';
import { concatenate } from '../bytes/concatenate.ts';
import type { HeldMemory } from '../content/held-memory.ts';
import type { ObjectId } from '../object/object-id.ts';
import { deflatePiece, type Codec } from '../ports/codec.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import { compressPieces } from './compress-pieces.ts';
import { JoinedPieces, pieceSize } from './joined-pieces.ts';
import { centralHeader, descriptor, endRecords, localHeader, zipTime, type ZipEntry, type ZipTime } from './zip.ts';

/** Files up to this size are compressed before their header is written, so that it has their size. */
const wholeMax = 512 * 1024;
const level = 6;

interface ZipContext {
  readonly codec: Codec;
  /** Holds the central directory. */
  readonly memory: HeldMemory;
  readonly work: Work;
}

/** Yields a zip archive in pieces. Its comment is the id of the commit, as Git has it. */
export async function* zipPieces(
  entries: AsyncGenerator<ArchiveEntry, void, undefined>,
  { commit, time: seconds }: { readonly commit: ObjectId; readonly time: number },
  context: ZipContext,
): AsyncGenerator<Uint8Array, void, undefined> {
  const time = zipTime(seconds);
  const directory: Uint8Array[] = [];
  const output = new JoinedPieces();
  for await (const { kind, isExecutable, path, size, content } of entries) {
    const found = { kind, isExecutable, path: fromByteText(path), size, offset: output.total, crc: 0, compressed: 0 };
    let entry: ZipEntry;
    if (content === undefined || (content instanceof Uint8Array && content.length <= wholeMax)) {
      entry = await addWhole(output, content ?? new Uint8Array(0), found, time, context);
    } else {
      const parts = streamedEntry(content instanceof Uint8Array ? slices(content) : content, found, time, context);
      let next = await parts.next();
      for (; next.done !== true; next = await parts.next()) {
        output.add(next.value);
        yield* output.filled();
      }
      entry = next.value;
    }
    yield* output.filled();
    const header = centralHeader(entry, time);
    await context.memory.add(2 * header.length);
    directory.push(header);
  }
  const offset = output.total;
  for (const header of directory) {
    output.add(header);
    yield* output.filled();
  }
  output.add(endRecords({ count: directory.length, size: output.total - offset, offset }, commit));
  yield* output.filled();
  yield* output.rest();
}

type EntryParts = AsyncGenerator<Uint8Array, ZipEntry, undefined>;
type FoundEntry = Omit<ZipEntry, 'isDeflated' | 'hasDescriptor'>;

async function addWhole(
  output: JoinedPieces,
  content: Uint8Array,
  found: FoundEntry,
  time: ZipTime,
  { codec, work }: ZipContext,
): Promise<ZipEntry> {
  const deflated = found.kind === 'file' ? await deflate(content, codec, work) : content;
  const isDeflated = deflated.length < content.length;
  const stored = isDeflated ? deflated : content;
  const crc = codec.crc32(content);
  const entry = { ...found, crc, compressed: stored.length, isDeflated, hasDescriptor: false };
  output.add(localHeader(entry, time));
  output.add(stored);
  return entry;
}

/** Compresses content to a bare deflate stream: without the two bytes at the start of a zlib stream and four at its end. */
async function deflate(content: Uint8Array, codec: Codec, work: Work): Promise<Uint8Array> {
  if (content.length <= deflatePiece) {
    if (work.spend(cost.deflated, content.length)) await work.yield();
    return codec.deflate(content, level).subarray(2, -4);
  }
  const parts: Uint8Array[] = [];
  for (const part of codec.deflateParts(content, level)) {
    parts.push(part);
    if (work.spend(cost.deflated, deflatePiece)) await work.yield();
  }
  return concatenate(parts).subarray(2, -4);
}

async function* streamedEntry(
  content: AsyncGenerator<Uint8Array, void, undefined>,
  found: FoundEntry,
  time: ZipTime,
  { codec, work }: ZipContext,
): EntryParts {
  const entry = { ...found, isDeflated: true, hasDescriptor: true };
  yield localHeader(entry, time);
  let [crc, compressed] = [0, 0];
  const summed = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of content) {
      crc = codec.crc32(piece, crc);
      yield piece;
    }
  };
  for await (const piece of compressPieces('deflate-raw', summed(), work)) {
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
