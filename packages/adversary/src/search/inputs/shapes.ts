import { deflateSync } from 'node:zlib';
import {
  addDuplicates,
  addSpine,
  addStar,
  addZeros,
  commitBody,
  copyBytes,
  deflatedZeros,
  deltaOf,
  emptyTreeId,
  ending,
  manyParents,
  objectId,
  parentLineSize,
  replaceEnd,
  startId,
  tagBody,
  treeBody,
  type HostilePack,
} from '@packhouse/fixtures/hostile';
import { Dice } from './dice.ts';

/**
 * Adds about `count` objects of about `size` bytes to a pack. Returns the ids of commits and tags that refs can point
 * to.
 */
export interface Shape {
  readonly name: string;
  readonly add: (pack: HostilePack, size: number, count: number) => readonly string[];
}

const none: readonly string[] = [];
const root = commitBody(emptyTreeId);
const rootId = objectId('commit', root);

/** Makes a tree of many entries with the shortest possible names, in order. */
function wideTree(entries: number, mode: '100644' | '40000', id: string): Buffer {
  const width = Math.max(1, Math.ceil(Math.log(Math.max(entries, 2)) / Math.log(36)));
  const entry = treeBody([{ mode, name: '0'.repeat(width), id }]);
  const tree = Buffer.alloc(entry.length * entries, entry);
  for (let i = 0; i < entries; i++) {
    const name = i.toString(36).padStart(width, '0');
    tree.write(name, entry.length * i + mode.length + 1, width, 'latin1');
  }
  return tree;
}

/** Adds deltas of an object that differ in their last bytes. Returns the ids of all results. */
function variants(pack: HostilePack, kind: 'commit' | 'tree' | 'tag', body: Buffer, count: number): readonly string[] {
  const base = pack.whole(kind, body);
  const ids = [objectId(kind, body)];
  const shared = startId(kind, body.length).update(body.subarray(0, -8));
  for (let i = 1; i < count; i++) {
    pack.offsetDelta(base, replaceEnd(body.length, ending(i)));
    ids.push(shared.copy().update(ending(i)).digest('hex'));
  }
  return ids;
}

function bare(add: (pack: HostilePack, size: number, count: number) => void): Shape['add'] {
  return (pack, size, count) => {
    add(pack, Math.max(size, 16), count);
    return none;
  };
}

/** Adds a commit for each tree, each on top of the one before. */
function commitsOf(pack: HostilePack, trees: readonly string[]): readonly string[] {
  let parent: string | undefined;
  return trees.map((tree, i) => {
    const body = commitBody(tree, parent === undefined ? [] : [parent], ending(i).toString());
    pack.whole('commit', body);
    return (parent = objectId('commit', body));
  });
}

/** Makes a delta of many instructions that copy one byte each. */
function slowDelta(baseSize: number, instructions: number): Buffer {
  const one = Buffer.from(copyBytes(0, 1));
  const head = deltaOf(baseSize, instructions, []);
  return Buffer.concat([head, Buffer.alloc(one.length * instructions, one)]);
}

export const shapes: readonly Shape[] = [
  { name: 'zeros', add: bare((pack, size, count) => addZeros(pack, size, Math.min(count, size))) },
  { name: 'star', add: bare(addStar) },
  { name: 'spine', add: bare((pack, size, count) => addSpine(pack, size, Math.ceil(count / 3))) },
  { name: 'duplicates', add: bare(addDuplicates) },
  {
    name: 'chain',
    add: bare((pack, size, count) => {
      let link = pack.wholeDeflated('blob', size, deflatedZeros(size));
      for (let i = 1; i <= count; i++) link = pack.offsetDelta(link, replaceEnd(size, ending(i)));
    }),
  },
  {
    name: 'chain of refs',
    add(pack, given, count) {
      const size = Math.max(given, 16);
      let link = pack.wholeDeflated('blob', size, deflatedZeros(size));
      const shared = startId('blob', size).update(Buffer.alloc(size - 8));
      const ids: string[] = [];
      for (let i = 1; i <= count; i++) {
        link = pack.offsetDelta(link, replaceEnd(size, ending(i)));
        if (i % 2 === 0) ids.push(shared.copy().update(ending(i)).digest('hex'));
      }
      return ids;
    },
  },
  {
    name: 'wide folders in each other',
    add(pack, size, count) {
      pack.whole('tree', new Uint8Array(0));
      const tree = wideTree(Math.max(1, Math.floor(size / 32)), '40000', emptyTreeId);
      const base = pack.whole('tree', tree);
      const shared = startId('tree', tree.length).update(tree.subarray(0, -20));
      let id = objectId('tree', tree);
      for (let i = 1; i < count; i++) {
        const last = Buffer.from(id, 'hex');
        pack.offsetDelta(base, replaceEnd(tree.length, last));
        id = shared.copy().update(last).digest('hex');
      }
      return commitsOf(pack, [id]);
    },
  },
  {
    name: 'whole duplicates',
    add: bare((pack, size, count) => {
      const deflated = deflatedZeros(size);
      for (let i = 0; i < count; i++) pack.wholeDeflated('blob', size, deflated);
    }),
  },
  {
    name: 'deltas of many instructions',
    add: bare((pack, size, count) => {
      const base = pack.whole('blob', Buffer.alloc(16));
      const delta = slowDelta(16, size);
      for (let i = 0; i < Math.min(count, 64); i++) pack.offsetDelta(base, delta);
    }),
  },
  {
    name: 'doubling deltas',
    add: bare((pack, size, count) => {
      let link = pack.whole('blob', Buffer.alloc(16, 1));
      let length = 16;
      for (let i = 0; i < count && 2 * length <= size; i++) {
        link = pack.offsetDelta(link, deltaOf(length, 2 * length, [...copyBytes(0, length), ...copyBytes(0, length)]));
        length *= 2;
      }
    }),
  },
  {
    name: 'parents',
    add(pack, size, count) {
      pack.whole('tree', new Uint8Array(0));
      pack.whole('commit', root);
      return variants(pack, 'commit', manyParents(emptyTreeId, rootId, Math.floor(size / parentLineSize)), count);
    },
  },
  {
    name: 'parents that differ',
    add(pack, size, count) {
      pack.whole('tree', new Uint8Array(0));
      const parents = Array.from({ length: Math.min(2_000, Math.ceil(size / parentLineSize)) }, (_, i) => {
        const body = commitBody(emptyTreeId, [], ending(i).toString());
        pack.whole('commit', body);
        return objectId('commit', body);
      });
      return variants(pack, 'commit', commitBody(emptyTreeId, parents, '00000000'), count);
    },
  },
  {
    name: 'history',
    add(pack, size, count) {
      pack.whole('tree', new Uint8Array(0));
      const message = 'm'.repeat(Math.min(size, 1_000));
      let parent = rootId;
      pack.whole('commit', root);
      for (let i = 0; i < count; i++) {
        const body = commitBody(emptyTreeId, [parent], message + i);
        pack.whole('commit', body);
        parent = objectId('commit', body);
      }
      return [parent];
    },
  },
  {
    name: 'wide folders that change',
    add(pack, size, count) {
      const blob = Buffer.from('x');
      pack.whole('blob', blob);
      const entries = Math.max(1, Math.floor(size / 32));
      const tree = wideTree(entries, '100644', objectId('blob', blob));
      const base = pack.whole('tree', tree);
      const trees = [objectId('tree', tree)];
      const shared = startId('tree', tree.length).update(tree.subarray(0, -20));
      for (let i = 1; i < count; i++) {
        const other = Buffer.from(`x${i}`);
        pack.whole('blob', other);
        const id = Buffer.from(objectId('blob', other), 'hex');
        pack.offsetDelta(base, replaceEnd(tree.length, id));
        trees.push(shared.copy().update(id).digest('hex'));
      }
      return commitsOf(pack, trees);
    },
  },
  {
    name: 'wide folders of one folder',
    add(pack, size, count) {
      pack.whole('tree', new Uint8Array(0));
      const trees: string[] = [];
      for (let i = 0; i < Math.min(count, 64); i++) {
        const tree = wideTree(Math.max(1, Math.floor(size / 32) - i), '40000', emptyTreeId);
        pack.whole('tree', tree);
        trees.push(objectId('tree', tree));
      }
      return commitsOf(pack, trees);
    },
  },
  {
    name: 'folders of the same folders',
    add(pack, size, count) {
      pack.whole('tree', new Uint8Array(0));
      let id = emptyTreeId;
      const fan = Math.max(2, Math.min(Math.floor(size / 32), 1_000));
      for (let i = 0; i < Math.min(count, 2_000); i++) {
        const tree = wideTree(fan, '40000', id);
        pack.whole('tree', tree);
        id = objectId('tree', tree);
      }
      return commitsOf(pack, [id]);
    },
  },
  {
    name: 'deep folders',
    add(pack, _, count) {
      pack.whole('tree', new Uint8Array(0));
      let id = emptyTreeId;
      for (let i = 0; i < count; i++) {
        const tree = treeBody([{ mode: '40000', name: 'd', id }]);
        pack.whole('tree', tree);
        id = objectId('tree', tree);
      }
      return commitsOf(pack, [id]);
    },
  },
  {
    name: 'deep folders that change',
    add(pack, size, count) {
      const depth = Math.min(500, Math.max(1, Math.floor(size / 64)));
      const trees: string[] = [];
      for (let i = 0; i < Math.min(count, 200, Math.ceil(5_000 / depth)); i++) {
        const blob = ending(i);
        pack.whole('blob', blob);
        let tree = treeBody([{ mode: '100644', name: 'f', id: objectId('blob', blob) }]);
        pack.whole('tree', tree);
        for (let level = 0; level < depth; level++) {
          tree = treeBody([{ mode: '40000', name: 'd', id: objectId('tree', tree) }]);
          pack.whole('tree', tree);
        }
        trees.push(objectId('tree', tree));
      }
      return commitsOf(pack, trees);
    },
  },
  {
    name: 'long names',
    add(pack, size, count) {
      const blob = Buffer.from('x');
      pack.whole('blob', blob);
      const id = objectId('blob', blob);
      const names = Array.from({ length: Math.min(count, 20) }, (_, i) => `${'n'.repeat(size)}${i}`);
      const trees = names.map((name) => treeBody([{ mode: '100644', name, id }]));
      for (const tree of trees) pack.whole('tree', tree);
      return commitsOf(
        pack,
        trees.map((tree) => objectId('tree', tree)),
      );
    },
  },
  {
    name: 'names that begin each other',
    add(pack, size, count) {
      const blob = Buffer.from('x');
      pack.whole('blob', blob);
      const id = objectId('blob', blob);
      const entries = Math.min(count, Math.ceil(Math.sqrt(2 * size)), 8_000);
      const tree = treeBody(
        Array.from({ length: entries }, (_, i) => ({ mode: '100644' as const, name: 'a' + '-'.repeat(i), id })),
      );
      pack.whole('tree', tree);
      return commitsOf(pack, [objectId('tree', tree)]);
    },
  },
  {
    name: 'tags of tags',
    add(pack, _, count) {
      pack.whole('tree', new Uint8Array(0));
      pack.whole('commit', root);
      let [id, kind]: [string, 'commit' | 'tag'] = [rootId, 'commit'];
      const ids: string[] = [];
      for (let i = 0; i < count; i++) {
        const body = tagBody(id, kind, `t${i}`);
        pack.whole('tag', body);
        ids.push((id = objectId('tag', body)));
        kind = 'tag';
      }
      return ids;
    },
  },
  {
    name: 'large tags',
    add(pack, size, count) {
      pack.whole('tree', new Uint8Array(0));
      pack.whole('commit', root);
      return variants(pack, 'tag', Buffer.concat([tagBody(rootId, 'commit', 't'), Buffer.alloc(size + 8, 'x')]), count);
    },
  },
  {
    name: 'large headers of commits',
    add(pack, size, count) {
      pack.whole('tree', new Uint8Array(0));
      const line = 'author a <a> 0 +0000\n';
      const text = commitBody(emptyTreeId).toString();
      const body = Buffer.from(
        text.replace(line, line.repeat(Math.max(1, Math.floor(size / line.length)))) + '00000000',
      );
      return variants(pack, 'commit', body, count);
    },
  },
  {
    name: 'large messages',
    add(pack, size, count) {
      pack.whole('tree', new Uint8Array(0));
      return variants(pack, 'commit', commitBody(emptyTreeId, [], 'x'.repeat(size) + '00000000'), count);
    },
  },
  {
    name: 'braids',
    add(pack, _, count) {
      pack.whole('tree', new Uint8Array(0));
      let [left, right] = [rootId, rootId];
      pack.whole('commit', root);
      for (let i = 0; i < count; i++) {
        const bodies = ['l', 'r'].map((side) =>
          commitBody(emptyTreeId, left === right ? [left] : [left, right], side + i),
        );
        for (const body of bodies) pack.whole('commit', body);
        [left, right] = bodies.map((body) => objectId('commit', body)) as [string, string];
      }
      return [left, right];
    },
  },
  {
    name: 'noise',
    add: bare((pack, size, count) => {
      const dice = new Dice(1);
      const body = Buffer.from(Array.from({ length: Math.max(4, Math.min(size, 4_096)) }, () => dice.upTo(255)));

      for (let i = 0; i < Math.min(count, 2_000); i++) {
        body.writeUInt32LE(i, 0);
        pack.wholeDeflated('blob', body.length, deflateSync(body, { level: 0 }));
      }
    }),
  },
];
