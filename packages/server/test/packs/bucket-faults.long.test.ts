/**
 * Pushes into a bucket that fails: the report says so, nothing of them is visible, and the same push then goes through.
 */

import { createGitEngine, packFiles, verifyRepository, type PackStore } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { blob, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { pushBody, set } from '@packhouse/conformance/tools/wire-client';
import { sweepLeftovers } from '@packhouse/hosting';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bucketRepository, pushTo, type BucketRepository } from '../support/bucket-repository.ts';
import { noise } from '../support/repository-under-faults.ts';

const main = 'refs/heads/main';
const done = ['unpack ok', `ok ${main}`];

let repository: BucketRepository;

beforeEach(async () => {
  repository = await bucketRepository();
});
afterEach(() => repository.close());

/** Pushes, and returns the report; undefined without a report. */
async function push(packs: PackStore, body: Uint8Array): Promise<string[] | undefined> {
  return pushTo({ state: repository.state, packs }, await repository.snapshot(), body);
}

/** A commit over files that no compression makes smaller. */
function sizedCommit(...sizes: readonly number[]): readonly MadeObject[] {
  const files = sizes.map((size, i) => blob(noise(size, i + 1)));
  const root = tree(Object.fromEntries(files.map((file, i) => [`file-${i}`, file])));
  return [commit('sized', root), root, ...files];
}

const scenarios: readonly (readonly [string, readonly number[], number])[] = [
  ['put whole', [2_000_000], 3],
  ['uploaded in parts', [9_000_000, 9_000_000, 9_000_000], 8],
];

describe.each(scenarios)('a pack that is %s', (_, sizes, writes) => {
  const objects = sizedCommit(...sizes);
  const tip = objects[0] as MadeObject;
  const body = pushBody([set(main, tip)], pack(...objects));

  /** Everything in the bucket belongs to the manifest, and everything of that is sound. */
  const expectSound = async (): Promise<void> => {
    const { account, bucket, state, snapshot } = repository;
    const { packs } = repository.open();
    await sweepLeftovers(state, packs, Date.now() + 1_000, 0);
    const kept = (await snapshot()).packs.flatMap(({ id }) => packFiles.map((file) => `${account}/${id}.${file}`));
    expect([...bucket.keys].sort()).toEqual(kept.sort());
    expect(await verifyRepository(createGitEngine({ codec: nodeCodec() }), { state, packs }, await snapshot())).toEqual(
      [],
    );
    expect(await packs.leftovers(Number.MAX_SAFE_INTEGER)).toEqual([]);
  };

  it('costs so many operations', async () => {
    const { packs, calls } = repository.open();
    expect(await push(packs, body)).toEqual(done);
    expect(calls.filter(({ operation }) => ['put', 'create', 'part', 'complete'].includes(operation))).toHaveLength(
      writes,
    );
    await expectSound();
  });

  it('GIT-153: is there whole or not at all when the bucket fails for good after any operation', async () => {
    const { packs: counted, calls } = repository.open();
    await push(counted, body);
    repository.close();
    repository = await bucketRepository();
    const total = calls.length;
    for (let alive = 0; alive < total; alive++) {
      let left = alive;
      const { packs } = repository.open(() => (left-- > 0 ? undefined : 'refused'));
      const before = await repository.snapshot();
      const report = await push(packs, body);
      expect(report?.[0]).toBe('unpack internal error');
      expect(await repository.snapshot()).toEqual(before);
    }
    await expectSound();
    expect(await push(repository.open().packs, body)).toEqual(done);
    await expectSound();
  });
});
