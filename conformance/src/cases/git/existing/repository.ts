/** A repository that exists already: what it lists, and how large a clone of it is. */

import type { Context, TestRepo } from '../../../core/context.ts';
import { commandBody, discover, linesOf, post, uploadBody, type Remote } from '../../../tools/wire-client.ts';

/** A ref as one version of the protocol lists it. */
export interface ListedRef {
  readonly name: string;
  readonly oid: string;
  /** The object that a tag object leads to. */
  readonly peeled?: string;
}

/** Refs, and the branch that HEAD names, as far as the service tells. */
export interface Listing {
  readonly refs: readonly ListedRef[];
  readonly head?: string | undefined;
}

/** Returns what version 0 or 1 lists. */
export async function oldListing(repo: Remote, version: 0 | 1): Promise<Listing> {
  const { lines } = await discover(repo, { version });
  const head = /\bsymref=HEAD:(\S+)/.exec(lines.find((line) => line.includes('\0')) ?? '')?.[1];
  const shown = lines.flatMap((line) => /^([0-9a-f]{40}) ([^\0]+)/.exec(line)?.slice(1, 3) ?? []);
  const refs: ListedRef[] = [];
  for (let i = 0; i < shown.length; i += 2) {
    const [oid = '', name = ''] = shown.slice(i);
    const last = refs.at(-1);
    if (last !== undefined && name === `${last.name}^{}`) refs.splice(-1, 1, { ...last, peeled: oid });
    else if (name !== 'capabilities^{}') refs.push({ name, oid });
  }
  return { refs, head };
}

/** Returns what `ls-refs` of version 2 lists. Ends the case as unsupported if the service has no version 2. */
export async function newListing(t: Context, repo: Remote, words: readonly string[] = []): Promise<Listing> {
  await needVersion2(t, repo);
  const { body } = await post(repo, commandBody('ls-refs', ['peel', 'symrefs', ...words]));
  let head: string | undefined;
  const refs = linesOf(body)
    .slice(0, -1)
    .flatMap((line): ListedRef[] => {
      const [oid = '', name = '', ...attributes] = line.split(' ');
      const value = (key: string): string | undefined =>
        attributes.find((word) => word.startsWith(key))?.slice(key.length);
      if (name === 'HEAD') head = value('symref-target:');
      const peeled = value('peeled:');
      return oid === 'unborn' ? [] : [{ name, oid, ...(peeled === undefined ? {} : { peeled }) }];
    });
  return { refs, head };
}

/** Ends the case as unsupported if the service has no version 2. */
export async function needVersion2(t: Context, repo: Remote): Promise<void> {
  const { lines } = await discover(repo, { version: 2 });
  if (lines[2] !== 'version 2') t.unsupported(`version 2 is answered as version 0: ${(lines[2] ?? '').slice(0, 80)}`);
}

/** Returns the id of HEAD or of the first branch. Skips the case if there is no branch. */
export async function tipOf(t: Context, repo: Remote): Promise<string> {
  const { refs } = await oldListing(repo, 0);
  const tip = refs.find(({ name }) => name === 'HEAD') ?? refs.find(({ name }) => name.startsWith('refs/heads/'));
  return tip?.oid ?? t.skip('needs a repository with a branch');
}

/** Bytes of a pack up to which a repository is cloned. */
const largest = 16 * 1024 * 1024;
/** Refs up to which each of them is fetched. */
const mostRefs = 2_000;

/**
 * Returns the pack of everything that the refs reach, in version 0. Skips the case if the repository is large, so that
 * a run does not burden its server.
 */
export async function wholePack(t: Context, repo: TestRepo): Promise<Buffer> {
  const wants = [...new Set((await oldListing(repo, 0)).refs.map(({ oid }) => oid))];
  if (wants.length === 0) t.skip('needs a repository with a branch');
  if (wants.length > mostRefs) t.skip(`needs a repository of at most ${mostRefs} refs`);
  const response = await repo.fetch(`${repo.remote}/git-upload-pack`, {
    method: 'POST',
    headers: { authorization: `Bearer ${repo.token}`, 'content-type': 'application/x-git-upload-pack-request' },
    body: uploadBody(wants, [], 'ofs-delta') as BodyInit,
  });
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    if (length > largest) t.skip('needs a repository whose clone has at most 16 MiB');
  }
  const body = Buffer.concat(parts);
  return body.subarray(Math.max(body.indexOf('PACK'), 0));
}
