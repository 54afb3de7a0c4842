import { copyingDelta } from '../../../tools/copying-delta.ts';
import {
  blob,
  commit,
  insertingDelta,
  packEntry,
  packOfEntries,
  tree,
  type MadeObject,
} from '../../../tools/made-objects.ts';

/** Makes a commit with a tree of one file. */
export function withFile(content: Uint8Array): { node: MadeObject; file: MadeObject; all: MadeObject[] } {
  const file = blob(content);
  const root = tree({ file });
  const node = commit('with a file', root);
  return { node, file, all: [node, root, file] };
}

/** Makes a commit of a file in many versions, each a delta of the one before: a chain of `length` deltas. */
export function deltaChain(length: number, seed: string): { node: MadeObject; bytes: Buffer } {
  const versions = Array.from({ length: length + 1 }, (_, i) => blob(`${seed} ${i}`));
  const names = versions.map((version, i) => [`v${String(i).padStart(5, '0')}`, version] as const);
  const root = tree(Object.fromEntries(names));
  const node = commit(seed, root);
  const entries = versions.map((version, i) => {
    const base = versions[i - 1];
    if (base === undefined) return packEntry(3, version.body);
    return packEntry(7, insertingDelta(base.body.length, version.body), Buffer.from(base.oid, 'hex'));
  });
  return { node, bytes: packOfEntries([...entries, packEntry(2, root.body), packEntry(1, node.body)]) };
}

/**
 * Makes a commit with a file of so many zeros, and deltas of it. Each makes a file that is one byte shorter than the
 * last. `beside` is a file that no tree names.
 */
export function deltaStar(size: number, deltas: number, beside?: MadeObject): { node: MadeObject; bytes: Buffer } {
  const base = blob(Buffer.alloc(size));
  const shorter = Array.from({ length: deltas }, (_, i) => blob(Buffer.alloc(size - 1 - i)));
  const names = [base, ...shorter].map((version, i) => [`v${String(i).padStart(5, '0')}`, version] as const);
  const root = tree(Object.fromEntries(names));
  const node = commit('star', root);
  const entries = shorter.map(({ body }) => packEntry(7, copyingDelta(base.body, body), Buffer.from(base.oid, 'hex')));
  return {
    node,
    bytes: packOfEntries([
      packEntry(3, base.body),
      ...entries,
      ...(beside === undefined ? [] : [packEntry(3, beside.body)]),
      packEntry(2, root.body),
      packEntry(1, node.body),
    ]),
  };
}
