import { objectIdBytes } from '../object/object-id.ts';
import { hashInTurns } from '../pack/hash-in-turns.ts';
import type { Codec } from '../ports/codec.ts';
import { cost } from '../work/costs.ts';
import { entriesAStop, inTurns, stretches, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import { GrowableUint32 } from './growable.ts';
import { noObject, type PackGraph } from './pack-graph.ts';
import { VarintReader, VarintWriter } from './varint.ts';

/**
 * The graph file: how a {@link PackGraph} is stored (`docs/design/graph.md`, "File"). A head of counts, then the
 * sections of {@link sections} one after the other, each with its length in front, then a SHA-1 over all before it.
 */

/** A graph file that is not what was written. */
export class GraphFileError extends Error {
  override readonly name = 'GraphFileError';
}

const magic = [0x50, 0x48, 0x47, 0x31]; // "PHG1"
/** Behind the magic and the pack's checksum. */
const headStart = magic.length + objectIdBytes;
const packHeaderBytes = 12;

/** Encodes a graph, checksum included. */
export async function writeGraphFile(graph: PackGraph, codec: Codec, work: Work): Promise<Uint8Array> {
  const file = new VarintWriter(64 + graph.count * 6 + graph.nodeCount * 32);
  for (const byte of magic) file.byte(byte);
  file.append(graph.packChecksum);
  file.unsigned(graph.count);
  file.unsigned(graph.nodeCount);
  file.unsigned(graph.ext.length / objectIdBytes);
  for (const section of sections) {
    const writer = new VarintWriter();
    await inTurns(work, cost.entries, section.write(graph, writer));
    file.unsigned(writer.length);
    file.append(writer.bytes());
  }
  file.append(await hashInTurns(codec, file.bytes(), work));
  return file.bytes().slice();
}

/**
 * Decodes a graph file.
 *
 * @throws {GraphFileError} if the checksum or any count is wrong.
 */
export async function parseGraphFile(bytes: Uint8Array, codec: Codec, work: Work): Promise<PackGraph> {
  const end = bytes.length - objectIdBytes;
  if (end < headStart || magic.some((byte, i) => bytes[i] !== byte)) throw new GraphFileError('no graph file');
  const checksum = await hashInTurns(codec, bytes.subarray(0, end), work);
  if (checksum.some((byte, i) => bytes[end + i] !== byte)) throw new GraphFileError('graph file checksum mismatch');
  try {
    return await inTurns(work, cost.entries, decode(bytes, end));
  } catch (error) {
    if (error instanceof RangeError) throw new GraphFileError('broken graph file');
    throw error;
  }
}

function* decode(bytes: Uint8Array, end: number): Steps<PackGraph> {
  const head = new VarintReader(bytes, headStart, end);
  const count = head.unsigned();
  const nodeCount = head.unsigned();
  const extCount = head.unsigned();
  // Every object and node takes at least a byte, so no count can ask for more memory than the file's own size warrants.
  if (count > bytes.length || nodeCount > bytes.length || extCount > bytes.length) throw new RangeError('counts');
  const draft: GraphDraft = {
    packChecksum: bytes.slice(magic.length, headStart),
    count,
    ext: new Uint8Array(extCount * objectIdBytes),
    kinds: new Uint8Array(count),
    offsets: new Uint32Array(count + 1),
    bases: new Int32Array(count).fill(-1),
    sizes: new Uint32Array(count),
    duplicates: new Uint32Array(0),
    nodeCount,
    nodeObjects: new Uint32Array(nodeCount),
    parentStarts: new Uint32Array(nodeCount + 1),
    parents: new Uint32Array(0),
    nodeTrees: new Uint32Array(nodeCount),
    dates: new Uint32Array(nodeCount),
    listStarts: new Uint32Array(nodeCount + 1),
    lists: new Uint32Array(0),
    nodeIds: new Uint8Array(nodeCount * objectIdBytes),
    nodesById: new Uint32Array(nodeCount),
  };
  let position = head.position;
  for (const section of sections) {
    const length = new VarintReader(bytes, position, end);
    const size = length.unsigned();
    position = length.position + size;
    if (position > end) throw new RangeError('section');
    yield* section.read(draft, new VarintReader(bytes, length.position, position));
  }
  return draft;
}

type GraphDraft = { -readonly [Key in keyof PackGraph]: PackGraph[Key] };

/** Both yield how many entries they passed. */
interface Section {
  readonly write: (graph: PackGraph, to: VarintWriter) => Steps<void>;
  readonly read: (graph: GraphDraft, from: VarintReader) => Steps<void>;
}

const extSection: Section = {
  *write(graph, to) {
    to.append(graph.ext);
    yield graph.ext.length / objectIdBytes;
  },
  *read(graph, from) {
    from.copy(graph.ext);
    yield graph.ext.length / objectIdBytes;
  },
};

/** One byte an object: kind and flags. Most bytes are equal, so a run length is cheap to read and to store. */
const kindSection: Section = {
  *write({ kinds, count }, to) {
    let run = 1;
    for (const [from, end] of stretches(count)) {
      for (let i = from; i < end; i++) {
        if (i + 1 < count && kinds[i + 1] === kinds[i]) {
          run++;
          continue;
        }
        to.unsigned((run - 1) * 32 + (kinds[i] as number));
        run = 1;
      }
      yield end - from;
    }
  },
  *read({ kinds, count }, from) {
    let runs = 0;
    for (let i = 0; i < count;) {
      const value = from.unsigned();
      const run = Math.floor(value / 32) + 1;
      if (i + run > count) throw new RangeError('kinds');
      kinds.fill(value % 32, i, i + run);
      i += run;
      if (++runs % entriesAStop === 0) yield entriesAStop;
    }
  },
};

const offsetSection: Section = {
  *write({ offsets, count }, to) {
    for (const [from, end] of stretches(count)) {
      for (let i = from; i < end; i++) to.unsigned((offsets[i + 1] as number) - (offsets[i] as number));
      yield end - from;
    }
  },
  *read(graph, from) {
    const lengths = new Float64Array(graph.count + 1);
    let offset = packHeaderBytes;
    for (const [start, end] of stretches(graph.count)) {
      for (let i = start; i < end; i++) {
        lengths[i] = offset;
        offset += from.unsigned();
      }
      yield end - start;
    }
    lengths[graph.count] = offset;
    graph.offsets = offset <= 0xffff_ffff ? new Uint32Array(lengths) : lengths;
  },
};

const sizeSection: Section = {
  *write({ sizes, count }, to) {
    for (const [from, end] of stretches(count)) {
      for (let i = from; i < end; i++) to.unsigned(sizes[i] as number);
      yield end - from;
    }
  },
  *read({ sizes, count }, from) {
    for (const [start, end] of stretches(count)) {
      for (let i = start; i < end; i++) sizes[i] = from.unsigned();
      yield end - start;
    }
  },
};

/** Distance back to the base, 0 for whole objects; a base may stand behind its delta too. */
const baseSection: Section = {
  *write({ bases, count }, to) {
    for (const [from, end] of stretches(count)) {
      for (let i = from; i < end; i++) to.signed(bases[i] === -1 ? 0 : i - (bases[i] as number));
      yield end - from;
    }
  },
  *read({ bases, count }, from) {
    for (const [start, end] of stretches(count)) {
      for (let i = start; i < end; i++) {
        const distance = from.signed();
        if (distance !== 0) bases[i] = inRange(i - distance, count);
      }
      yield end - start;
    }
  },
};

const duplicateSection: Section = {
  *write({ duplicates }, to) {
    to.unsigned(duplicates.length);
    for (const [from, end] of stretches(duplicates.length)) {
      for (let i = from; i < end; i++) to.unsigned(duplicates[i] as number);
      yield end - from;
    }
  },
  *read(graph, from) {
    const length = bounded(from.unsigned(), 2 * graph.count);
    const duplicates = new Uint32Array(length);
    const extCount = graph.ext.length / objectIdBytes;
    for (const [start, end] of stretches(length)) {
      for (let i = start; i < end; i++) {
        duplicates[i] = inRange(from.unsigned(), i % 2 === 0 ? graph.count : extCount);
      }
      yield end - start;
    }
    graph.duplicates = duplicates;
  },
};

/** Entries that a node counts for, beside its parents. */
const entriesANode = 6;

const nodeSection: Section = {
  *write(graph, to) {
    let object = -1;
    let tree = 0;
    let passed = 0;
    for (let node = 0; node < graph.nodeCount; node++) {
      to.unsigned((graph.nodeObjects[node] as number) - object - 1);
      object = graph.nodeObjects[node] as number;
      const start = graph.parentStarts[node] as number;
      const end = graph.parentStarts[node + 1] as number;
      const ownTree = graph.nodeTrees[node] as number;
      to.unsigned((end - start) * 2 + (ownTree === noObject ? 1 : 0));
      for (let i = start; i < end; i++) to.signed(node - (graph.parents[i] as number));
      if (ownTree !== noObject) {
        to.signed(ownTree - tree);
        tree = ownTree;
      }
      to.unsigned(graph.dates[node] as number);
      passed += entriesANode + end - start;
      if (passed < entriesAStop) continue;
      yield passed;
      passed = 0;
    }
    yield passed;
  },
  *read(graph, from) {
    const extCount = graph.ext.length / objectIdBytes;
    const parents = new GrowableUint32(graph.nodeCount + 16);
    let object = -1;
    let tree = 0;
    let passed = 0;
    for (let node = 0; node < graph.nodeCount; node++) {
      object += from.unsigned() + 1;
      graph.nodeObjects[node] = inRange(object, graph.count + extCount);
      const flags = from.unsigned();
      const parentCount = Math.floor(flags / 2);
      graph.parentStarts[node] = parents.length;
      for (let i = 0; i < parentCount; i++) parents.push(inRange(node - from.signed(), graph.nodeCount + extCount));
      if (flags % 2 === 0) {
        tree += from.signed();
        graph.nodeTrees[node] = inRange(tree, graph.count + extCount);
      } else {
        graph.nodeTrees[node] = noObject;
      }
      graph.dates[node] = bounded(from.unsigned(), 0xffff_ffff);
      passed += entriesANode + parentCount;
      if (passed < entriesAStop) continue;
      yield passed;
      passed = 0;
    }
    graph.parentStarts[graph.nodeCount] = parents.length;
    graph.parents = parents.toArray();
    yield passed;
  },
};

/** Runs of neighbours: a gap from the last reference (signed), its low bit telling that a run length follows. */
const listSection: Section = {
  *write(graph, to) {
    to.unsigned(graph.lists.length);
    let passed = 0;
    for (let node = 0; node < graph.nodeCount; node++) {
      const start = graph.listStarts[node] as number;
      const end = graph.listStarts[node + 1] as number;
      to.unsigned(end - start);
      let last = graph.nodeTrees[node] === noObject ? 0 : (graph.nodeTrees[node] as number);
      for (let i = start; i < end;) {
        const first = graph.lists[i] as number;
        let run = 1;
        while (i + run < end && graph.lists[i + run] === first + run) run++;
        to.signed((first - last) * 2 + (run > 1 ? 1 : 0));
        if (run > 1) to.unsigned(run - 2);
        last = first + run;
        i += run;
        passed += run;
        if (passed < entriesAStop) continue;
        yield passed;
        passed = 0;
      }
      passed++;
    }
    yield passed;
  },
  *read(graph, from) {
    const extCount = graph.ext.length / objectIdBytes;
    const total = from.unsigned();
    // A run of any length takes a few bytes, so the total alone must not decide how much memory is taken.
    if (total > graph.nodeCount * (graph.count + extCount)) throw new RangeError('lists');
    const lists = new Uint32Array(total);
    let filled = 0;
    let passed = 0;
    for (let node = 0; node < graph.nodeCount; node++) {
      graph.listStarts[node] = filled;
      const end = filled + from.unsigned();
      if (end > total) throw new RangeError('lists');
      let last = graph.nodeTrees[node] === noObject ? 0 : (graph.nodeTrees[node] as number);
      while (filled < end) {
        const step = from.signed();
        const withRun = step % 2 !== 0;
        const first = last + (withRun ? (step - 1) / 2 : step / 2);
        const run = withRun ? from.unsigned() + 2 : 1;
        if (filled + run > end || first < 0 || first + run > graph.count + extCount) throw new RangeError('lists');
        for (let i = 0; i < run; i++) lists[filled++] = first + i;
        last = first + run;
        passed += run;
        if (passed < entriesAStop) continue;
        yield passed;
        passed = 0;
      }
      passed++;
    }
    if (filled !== total) throw new RangeError('lists');
    graph.listStarts[graph.nodeCount] = filled;
    graph.lists = lists;
    yield passed;
  },
};

const nodeIdSection: Section = {
  *write({ nodeIds, nodesById, nodeCount }, to) {
    to.append(nodeIds);
    for (const [from, end] of stretches(nodeCount)) {
      for (let i = from; i < end; i++) to.unsigned(nodesById[i] as number);
      yield end - from;
    }
  },
  *read({ nodeIds, nodesById, nodeCount }, from) {
    from.copy(nodeIds);
    for (const [start, end] of stretches(nodeCount)) {
      for (let i = start; i < end; i++) nodesById[i] = inRange(from.unsigned(), nodeCount);
      yield end - start;
    }
  },
};

/** In this order in the file; later ones need the tables of earlier ones. */
const sections: readonly Section[] = [
  extSection,
  kindSection,
  offsetSection,
  sizeSection,
  baseSection,
  duplicateSection,
  nodeSection,
  listSection,
  nodeIdSection,
];

function inRange(value: number, end: number): number {
  if (value < 0 || value >= end) throw new RangeError('reference');
  return value;
}

function bounded(value: number, max: number): number {
  if (value > max) throw new RangeError('count');
  return value;
}
