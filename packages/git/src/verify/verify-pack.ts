import { parseGraphFile } from '../graph/graph-file.ts';
import { kindMask, type PackGraph } from '../graph/pack-graph.ts';
import { kindName } from '../object/kind.ts';
import { compareObjectIds, objectIdAt, objectIdBytes } from '../object/object-id.ts';
import { indexChecksumFits, parsePackIndexFile, type PackIndexFile } from '../pack/pack-index-file.ts';
import type { ObjectReader } from '../pack/object-reader.ts';
import { openStoredPack } from '../pack/read/stored-pack.ts';
import type { PackFile } from '../ports/pack-store.ts';
import type { PackRecord } from '../ports/repo-state.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import type { Problem } from './problem.ts';

const encoder = new TextEncoder();
const packHeaderBytes = 12;
const portion = 1024 * 1024;

/** Checks the three files of one pack, each on its own and against the others, including the id of every object. */
export async function verifyPack(
  engine: GitEngine,
  repository: GitRepository,
  record: PackRecord,
  work: Work,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const tell = (about: Problem['about'], what: string): void => void problems.push({ about, where: record.id, what });
  const sizes: Record<PackFile, number> = { pack: record.packSize, idx: record.idxSize, graph: record.graphSize };
  let rows: ReadonlyMap<PackFile, Uint8Array> | undefined;
  if (record.where === 'rows') {
    const files = await repository.state.rowFiles([record.id], ['pack', 'idx', 'graph']);
    rows = new Map(files.map(({ file, bytes }) => [file, bytes]));
  }
  const read = async (file: PackFile, offset: number, length: number): Promise<Uint8Array> => {
    if (rows === undefined) {
      const [bytes] = await repository.packs.read(record.id, file, [{ offset, length }]);
      return bytes as Uint8Array;
    }
    const bytes = rows.get(file);
    if (bytes?.length !== sizes[file]) throw new Error('no such row');
    return bytes.subarray(offset, offset + length);
  };

  let index: PackIndexFile;
  let graph: PackGraph;
  try {
    const idx = await read('idx', 0, record.idxSize);
    index = await parsePackIndexFile(idx, record.packSize, work);
    if (!(await indexChecksumFits(idx, engine.codec, work))) tell('idx', 'its checksum is wrong');
  } catch {
    tell('idx', 'it is missing or does not parse');
    return problems;
  }
  try {
    graph = await parseGraphFile(await read('graph', 0, record.graphSize), engine.codec, work);
  } catch {
    tell('graph', 'it is missing, does not parse, or its checksum is wrong');
    return problems;
  }
  if (index.index.count !== record.objects)
    tell('idx', `it holds ${index.index.count} objects, the manifest says ${record.objects}`);
  if (!(await packChecksumFits(engine, record, index, graph, read, tell, work))) return problems;
  compareTables(index, graph, tell);
  const source = rows?.get('pack');
  const reader = openStoredPack({
    id: record.id,
    index: index.index,
    store: repository.packs,
    bytes: source,
    codec: engine.codec,
    pages: engine.pages,
    work,
  });
  await verifyObjects(engine, index, graph, reader, tell, work);
  return problems;
}

type Tell = (about: Problem['about'], what: string) => void;
type Read = (file: PackFile, offset: number, length: number) => Promise<Uint8Array>;

/** One pass over the pack: its own checksum, that of each entry, and the values in the other two files. */
async function packChecksumFits(
  engine: GitEngine,
  record: PackRecord,
  { index, crcs, packChecksum }: PackIndexFile,
  graph: PackGraph,
  read: Read,
  tell: Tell,
  work: Work,
): Promise<boolean> {
  const { codec } = engine;
  const sha1 = codec.sha1();
  const end = record.packSize - objectIdBytes;
  let ordinal = -1;
  let crc = 0;
  let wrong = 0;
  try {
    for (let at = 0; at < end;) {
      const chunk = await read('pack', at, Math.min(portion, end - at));
      sha1.update(chunk);
      if (work.spend(cost.hashed, 2 * chunk.length)) await work.yield();
      let from = at === 0 ? packHeaderBytes : 0;
      while (from < chunk.length) {
        const next = index.offsets[ordinal + 1] ?? end;
        if (at + from === next) {
          if (ordinal >= 0 && crc !== crcs[ordinal]) wrong++;
          ordinal++;
          crc = 0;
          continue;
        }
        const until = Math.min(chunk.length, next - at);
        if (until <= from) break;
        crc = codec.crc32(chunk.subarray(from, until), crc);
        from = until;
      }
      at += chunk.length;
    }
    if (ordinal >= 0 && crc !== crcs[ordinal]) wrong++;
    const trailer = await read('pack', end, objectIdBytes);
    const fits = compareObjectIds(sha1.digest(), 0, trailer, 0) === 0;
    if (!fits) tell('pack', 'its checksum is wrong');
    if (compareObjectIds(packChecksum, 0, trailer, 0) !== 0) tell('idx', 'it belongs to another pack');
    if (compareObjectIds(graph.packChecksum, 0, trailer, 0) !== 0) tell('graph', 'it belongs to another pack');
    if (wrong > 0) tell('pack', `${wrong} entries have a wrong CRC-32`);
    return fits;
  } catch {
    tell('pack', 'it is missing or cut off');
    return false;
  }
}

function compareTables({ index }: PackIndexFile, graph: PackGraph, tell: Tell): void {
  if (graph.count !== index.count) {
    tell('graph', `it counts ${graph.count} objects, the idx ${index.count}`);
    return;
  }
  for (let i = 0; i <= graph.count; i++) {
    if (graph.offsets[i] === index.offsets[i]) continue;
    tell('graph', 'its offsets are not those of the idx');
    return;
  }
}

async function verifyObjects(
  engine: GitEngine,
  { index }: PackIndexFile,
  graph: PackGraph,
  reader: ObjectReader,
  tell: Tell,
  work: Work,
): Promise<void> {
  const id = new Uint8Array(objectIdBytes);
  for (let ordinal = 0; ordinal < index.count; ordinal++) {
    index.copyId(ordinal, id, 0);
    try {
      const { kind, body } = await reader.read(ordinal);
      const header = encoder.encode(`${kindName(kind)} ${body.length}\0`);
      if (work.spend(cost.hashed, body.length)) await work.yield();
      if (compareObjectIds(engine.codec.sha1Of(header, body), 0, id, 0) !== 0)
        tell('object', `${objectIdAt(id)} has other content`);
      const known = (graph.kinds[ordinal] as number) & kindMask;
      if (known !== kind || graph.sizes[ordinal] !== body.length)
        tell('graph', `kind or size of ${objectIdAt(id)} is wrong`);
    } catch {
      tell('object', `${objectIdAt(id)} cannot be read`);
    }
  }
}
