/** A model of the specification's fetches with boundaries, in its plainest form: sets of ids over a whole history. */

import type { MadeObject } from '@packhouse/conformance/tools/made-objects';
import type { History } from '@packhouse/conformance/tools/random-history';
import { linksOf, reached } from '@packhouse/conformance/tools/reached-objects';

export type Objects = ReadonlyMap<string, MadeObject>;

/** Ids of the parents of a commit, or none. */
export function parentsOf(oid: string, objects: Objects): string[] {
  return linked(oid, objects, 'commit');
}

function linked(oid: string, objects: Objects, kind: MadeObject['kind']): string[] {
  const object = objects.get(oid);
  if (object?.kind !== 'commit') return [];
  return linksOf(object)
    .filter((link) => link.kind === kind)
    .map((link) => link.oid);
}

/** Ids of all that the values reach, where nothing is reached through the parents of the commits in `cuts`. */
export function reachedWithin(from: Iterable<string>, objects: Objects, cuts: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const left = [...from];
  for (let oid = left.pop(); oid !== undefined; oid = left.pop()) {
    if (found.has(oid)) continue;
    found.add(oid);
    for (const link of linksOf(objects.get(oid) as MadeObject)) {
      if (link.kind !== 'commit' || objects.get(oid)?.kind === 'tag' || !cuts.has(oid)) left.push(link.oid);
    }
  }
  return found;
}

/** A client and the boundary lines that it received, by ids. */
export interface ToldClient {
  /** Commits whose parents the server does not have. */
  readonly own: readonly string[];
  readonly haves: readonly string[];
  readonly shallow: readonly string[];
  /** Ids in the lines of the reply. */
  readonly told: { readonly shallow: readonly string[]; readonly unshallow: readonly string[] };
}

/** Ids of what a client has declared (GIT-065). */
export function declared({ own, haves, shallow, told }: ToldClient, objects: Objects): Set<string> {
  const held = reachedWithin(
    haves.filter((oid) => objects.has(oid)),
    objects,
    new Set([...own, ...shallow]),
  );
  for (const oid of told.unshallow) {
    held.add(oid);
    for (const below of reached(linked(oid, objects, 'tree'), objects)) held.add(below);
  }
  return held;
}

/** Commits that the client has without their parents in the end, among others. */
export function boundaryAfter({ own, shallow, told }: ToldClient): Set<string> {
  const cuts = new Set([...shallow, ...told.shallow]);
  for (const oid of told.unshallow) cuts.delete(oid);
  for (const oid of own) cuts.add(oid);
  return cuts;
}

/** Ids of what the client must have in the end: what it wants, down to its new boundary. */
export function complete(wants: readonly string[], client: ToldClient, objects: Objects): Set<string> {
  const { told } = client;
  const cuts = boundaryAfter(client);
  return reachedWithin([...wants, ...told.unshallow.flatMap((oid) => parentsOf(oid, objects))], objects, cuts);
}

/**
 * Ids of what may be sent although it was declared: wanted trees and blobs, and what wanted tags of such lead to
 * (GIT-066).
 */
export function insisted(wants: readonly string[], objects: Objects): Set<string> {
  const ids = new Set<string>();
  for (const want of wants) {
    const chain: string[] = [];
    let end = objects.get(want) as MadeObject;
    for (; end.kind === 'tag'; end = objects.get((linksOf(end)[0] as { oid: string }).oid) as MadeObject) {
      chain.push(end.oid);
    }
    if (end.kind === 'commit') continue;
    for (const oid of [...chain, ...reached([end.oid], objects)]) ids.add(oid);
  }
  return ids;
}

/** Ids of some objects, and of what the tags among them lead to. */
export function withTargets(from: Iterable<string>, objects: Objects): Set<string> {
  const found = new Set<string>();
  for (const start of from) {
    for (let oid: string | undefined = start; oid !== undefined;) {
      found.add(oid);
      const object: MadeObject = objects.get(oid) as MadeObject;
      oid = object.kind === 'tag' ? linksOf(object)[0]?.oid : undefined;
    }
  }
  return found;
}

/** Ids of the tags that refs of tags name and that lead to some objects, with all tags in between (GIT-068). */
export function tagsOf({ refs, objects }: History, ends: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const [name, value] of refs) {
    if (!name.startsWith('refs/tags/')) continue;
    const chain = [...withTargets([value.oid], objects)];
    if (ends.has(chain.at(-1) as string)) for (const oid of chain.slice(0, -1)) found.add(oid);
  }
  return found;
}
