/** What a repo holds, seen by fetching: compared object by object, without stock git. */

import assert from 'node:assert/strict';
import type { MadeObject } from './made-objects.ts';
import { readPack, type PackContents } from './pack-contents.ts';
import { reached } from './reached-objects.ts';
import { same } from './same.ts';
import { commandBody, fetchBody, linesOf, packOf, post, type Remote } from './wire-client.ts';

type Named = Pick<MadeObject, 'oid'>;

/** Ids, each once, sorted. */
export function idsOf(objects: Iterable<Named>): string[] {
  return [...new Set([...objects].map(({ oid }) => oid))].sort();
}

/** The pack of a `fetch` of version 2 that is done at once. @throws what the service said in its place. */
export async function fetchedPack(
  repo: Remote,
  wants: readonly Named[],
  haves: readonly Named[] = [],
  words: readonly string[] = ['ofs-delta'],
): Promise<Buffer> {
  const ids = (objects: readonly Named[]): string[] => objects.map(({ oid }) => oid);
  const { status, body } = await post(repo, fetchBody(ids(wants), ids(haves), words));
  assert.equal(status, 200, 'A fetch of what is there is answered 200.');
  return packOf(body);
}

/** What a fetch brings. `held` is what the client has already, and thin packs may lean on. */
export async function fetched(
  repo: Remote,
  wants: readonly Named[],
  haves: readonly Named[] = [],
  words: readonly string[] = ['ofs-delta'],
  held: Iterable<MadeObject> = [],
): Promise<PackContents> {
  return readPack(await fetchedPack(repo, wants, haves, words), held);
}

/** Expects that a fetch brings just these objects, in a pack that needs no others. */
export async function expectFetched(
  repo: Remote,
  wants: readonly Named[],
  haves: readonly Named[],
  expected: readonly Named[],
  what: string,
): Promise<void> {
  const { objects } = await fetched(repo, wants, haves);
  same([...objects.keys()].sort(), idsOf(expected), what);
}

/** Expects that an object cannot be fetched. */
export async function expectNotOurs(repo: Remote, { oid }: Named, what: string): Promise<void> {
  const { body } = await post(repo, fetchBody([oid], []));
  same(linesOf(body), [`ERR upload-pack: not our ref ${oid}`], what);
}

/** The refs of a repo without HEAD, by name, of which each character is a byte. */
export async function refsOf(repo: Remote): Promise<Record<string, string>> {
  const { status, body } = await post(repo, commandBody('ls-refs'));
  assert.equal(status, 200, 'The refs are listed.');
  const refs: Record<string, string> = {};
  for (const line of linesOf(body)) {
    const [oid = '', name = 'HEAD'] = line.split(' ');
    if (name !== 'HEAD') refs[name] = oid;
  }
  return refs;
}

/** Fetches every ref from nothing, and expects that all they reach comes, sound and of the kinds it is named as. */
export async function expectIntact(repo: Remote): Promise<void> {
  const tips = [...new Set(Object.values(await refsOf(repo)))].map((oid) => ({ oid }));
  if (tips.length === 0) return;
  const { objects } = await fetched(repo, tips);
  const needed = reached(
    tips.map(({ oid }) => oid),
    objects,
  );
  same([...objects.keys()].sort(), [...needed].sort(), 'A full fetch brings what the refs reach, and nothing else.');
}
