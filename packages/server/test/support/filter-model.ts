/** A model of the specification's filters (section 5), in its plainest form: it visits every path of every commit. */

import { blob, commit, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { linksOf } from '@packhouse/conformance/tools/reached-objects';
import { complete, declared, insisted, withTargets, type Objects, type ToldClient } from './history-model.ts';

/** One part of a filter: its text, and the objects that pass it. */
export interface ModelPart {
  readonly text: string;
  /** Returns true if an object at a place (its depth and path) passes. Commits and tags have no place. */
  readonly passes: (object: MadeObject, place: Place | undefined) => boolean;
  /** True if all trees pass. */
  readonly allTrees: boolean;
}

export interface Place {
  readonly depth: number;
  readonly path: string;
  /** True within a commit. False within a tree that is wanted itself, to which no pattern applies. */
  readonly inCommit: boolean;
}

/** Pattern files, each with the paths of random histories that pass it. */
const patternFiles: readonly { readonly text: string; readonly lets: (path: string, inCommit: boolean) => boolean }[] =
  [
    { text: '/dir/\n', lets: (path) => path.startsWith('dir/') },
    { text: '*\n!a*\n', lets: (path) => !(path.split('/').at(-1) as string).startsWith('a') },
    { text: '/*\n!/*/\n', lets: (path) => !path.includes('/') },
    { text: 'deep/\nUPPER', lets: (path) => path.split('/').slice(0, -1).includes('deep') || path.endsWith('UPPER') },
    { text: '/\n', lets: (_, inCommit) => inCommit },
    { text: '# nothing\n', lets: () => false },
  ];

const patternBlobs = patternFiles.map(({ text }) => blob(text));
const patternTree = tree(Object.fromEntries(patternBlobs.map((file, i) => [`patterns${i}`, file])));

/** A commit with the files of patterns, and all it reaches. */
export const patternCommit: MadeObject = commit('patterns', patternTree);
export const patternObjects: readonly MadeObject[] = [...patternBlobs, patternTree, patternCommit];

const onFiles = (passes: (object: MadeObject, place: Place) => boolean) => (object: MadeObject, place?: Place) =>
  object.kind === 'commit' || object.kind === 'tag' || (place !== undefined && passes(object, place));

/** A part by number. The commit with the patterns is what `refs/heads/patterns` points to. */
export function modelPart(kind: number, number: number): ModelPart {
  if (kind === 0) return { text: 'blob:none', passes: ({ kind: type }) => type !== 'blob', allTrees: true };
  if (kind === 1) {
    const bytes = [0, 1, 2, 400, 800, 100_000][number % 6] as number;
    return {
      text: `blob:limit=${bytes}`,
      passes: ({ kind: type, body }) => type !== 'blob' || body.length < bytes,
      allTrees: true,
    };
  }
  if (kind === 2) {
    const limit = number % 5;
    return { text: `tree:${limit}`, passes: onFiles((_, { depth }) => depth < limit), allTrees: false };
  }
  if (kind === 3) {
    const only = (['blob', 'tree', 'commit', 'tag'] as const)[number % 4];
    return { text: `object:type=${only}`, passes: ({ kind: type }) => type === only, allTrees: only === 'tree' };
  }
  const at = number % patternFiles.length;
  const { lets } = patternFiles[at] as (typeof patternFiles)[number];
  const names = [
    `patterns:patterns${at}`,
    (patternBlobs[at] as MadeObject).oid,
    `refs/heads/patterns:patterns${at}`,
    `${patternCommit.oid}:patterns${at}`,
  ];
  return {
    text: `sparse:oid=${names[number % names.length] as string}`,
    passes: onFiles(({ kind: type }, { path, inCommit }) => type === 'tree' || lets(path, inCommit)),
    allTrees: true,
  };
}

/** Ids of what a client gets with a filter of these parts (section 5), tags that come along left out. */
export function letThrough(
  parts: readonly ModelPart[],
  wants: readonly string[],
  client: ToldClient,
  objects: Objects,
): Set<string> {
  const held = declared(client, objects);
  const given = withTargets(wants, objects);
  const lacking = [...complete(wants, client, objects)].filter((oid) => !held.has(oid));
  const passed = passing(
    parts,
    {
      roots: lacking.flatMap((oid) => rootOf(objects.get(oid) as MadeObject)),
      given: [...given].filter((oid) => objects.get(oid)?.kind === 'tree'),
    },
    objects,
  );
  return new Set([...lacking, ...insisted(wants, objects)].filter((oid) => given.has(oid) || passed.has(oid)));
}

function rootOf(object: MadeObject): string[] {
  const [root] = object.kind === 'commit' ? linksOf(object) : [];
  return root === undefined ? [] : [root.oid];
}

/**
 * Returns the ids of objects below these trees that pass every part, each part at any place of the object. Also returns
 * the commits and tags that pass.
 */
function passing(
  parts: readonly ModelPart[],
  { roots, given }: { readonly roots: Iterable<string>; readonly given: Iterable<string> },
  objects: Objects,
): Set<string> {
  const passed = parts.map(() => new Set<string>());
  const meet = (oid: string, place?: Place): void => {
    parts.forEach(({ passes }, i) => {
      if (passes(objects.get(oid) as MadeObject, place)) passed[i]?.add(oid);
    });
  };
  for (const [oid, { kind }] of objects) if (kind === 'commit' || kind === 'tag') meet(oid);
  const left = [
    ...[...new Set(roots)].map((oid) => ({ oid, depth: 0, path: '', inCommit: true })),
    ...[...new Set(given)].map((oid) => ({ oid, depth: -1, path: '', inCommit: false })),
  ];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { oid, depth, path, inCommit } = next;
    if (depth >= 0) meet(oid, { depth, path, inCommit });
    const object = objects.get(oid) as MadeObject;
    if (object.kind !== 'tree') continue;
    for (const [name, child] of namedLinks(object)) {
      left.push({ oid: child, depth: depth + 1, path: path === '' ? name : `${path}/${name}`, inCommit });
    }
  }
  return new Set([...(passed[0] ?? [])].filter((oid) => passed.every((part) => part.has(oid))));
}

/** The entries of a tree that are objects. Names are bytes, one a character. */
function namedLinks(object: MadeObject): (readonly [name: string, oid: string])[] {
  const links = new Set(linksOf(object).map(({ oid }) => oid));
  const named: [string, string][] = [];
  const { body } = object;
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(' ', at);
    const end = body.indexOf(0, space);
    const oid = body.toString('hex', end + 1, end + 21);
    if (links.has(oid)) named.push([body.toString('latin1', space + 1, end), oid]);
    at = end + 21;
  }
  return named;
}
