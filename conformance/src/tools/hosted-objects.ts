/** Reads the content of a repo by fetching, and compares it object by object, without stock git. */

import assert from 'node:assert/strict';
import { NotDone } from '../core/outcome.ts';
import type { MadeObject } from './made-objects.ts';
import { readPack, type PackContents } from './pack-contents.ts';
import { reached } from './reached-objects.ts';
import { same } from './same.ts';
import { commandBody, discover, fetchBody, linesOf, packOf, post, type Remote, uploadBody } from './wire-client.ts';

type Named = Pick<MadeObject, 'oid'>;

/** Returns the ids, each once, sorted. */
export function idsOf(objects: Iterable<Named>): string[] {
  return [...new Set([...objects].map(({ oid }) => oid))].sort();
}

/**
 * Returns the pack of a version 2 `fetch` with `done`.
 *
 * @throws with the text of the service if there is no pack.
 */
export async function fetchedPack(
  repo: Remote,
  wants: readonly Named[],
  haves: readonly Named[] = [],
  words: readonly string[] = ['ofs-delta'],
): Promise<Buffer> {
  const ids = (objects: readonly Named[]): string[] => objects.map(({ oid }) => oid);
  const version = repo.isOld === true ? 0 : 2;
  const request =
    version === 0 ? uploadBody(ids(wants), ids(haves), words.join(' ')) : fetchBody(ids(wants), ids(haves), words);
  const { status, body } = await post(repo, request, { version });
  assert.equal(status, 200, 'A fetch of what is there is answered 200.');
  if (version === 2) return packOf(body);
  const start = body.indexOf('PACK');
  if (start < 0) throw new NotDone(`no pack: ${body.toString('latin1', 0, 200)}`);
  return body.subarray(start);
}

/**
 * Returns the objects that a fetch brings. `held` are the objects of the client, which a thin pack may use as bases.
 */
export async function fetched(
  repo: Remote,
  wants: readonly Named[],
  haves: readonly Named[] = [],
  words: readonly string[] = ['ofs-delta'],
  held: Iterable<MadeObject> = [],
): Promise<PackContents> {
  return readPack(await fetchedPack(repo, wants, haves, words), held);
}

/** Expects that a fetch brings exactly these objects, in a pack that needs no others. */
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

/** Returns the refs of a repo without HEAD, by name. Each character of a name is one byte. */
export async function refsOf(repo: Remote): Promise<Record<string, string>> {
  if (repo.foreign === true) return await oldRefs(repo);
  const { status, body } = await post(repo, commandBody('ls-refs'));
  assert.equal(status, 200, 'The refs are listed.');
  const refs: Record<string, string> = {};
  for (const line of linesOf(body)) {
    const [oid = '', name = 'HEAD'] = line.split(' ');
    if (name !== 'HEAD') refs[name] = oid;
  }
  return refs;
}

/** Returns the refs that version 0 lists, which every server has. */
async function oldRefs(repo: Remote): Promise<Record<string, string>> {
  const { lines } = await discover(repo);
  const refs = lines.flatMap((line) => /^([0-9a-f]{40}) (refs\/[^\0]+)/.exec(line)?.slice(1, 3) ?? []);
  const pairs = refs.flatMap((oid, i) => (i % 2 === 0 ? [[String(refs[i + 1]), oid] as const] : []));
  return Object.fromEntries(pairs.filter(([name]) => !name.endsWith('^{}')));
}

/**
 * Fetches every ref into an empty client. Expects all reachable objects, intact and of the kinds that links to them
 * declare.
 */
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
