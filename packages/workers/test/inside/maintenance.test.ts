import { abortAllDurableObjects } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createGitEngine, packFiles, verifyRepository, type PackStore } from '@packhouse/git';
import { maintainHostedRepo, sweepLeftovers } from '@packhouse/hosting';
import { wholeState } from '@packhouse/git/contract';
import { FaultyBucket, type BucketCall, type BucketFault } from '@packhouse/storage/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { codec, push, pushOf } from './made-push.ts';
import { newRepo, reopened, type Repo } from './repo.ts';

const grace = 60_000;

async function maintain({ state }: Repo, packs: PackStore): Promise<void> {
  for (let round = 1; round <= 3; round++) {
    await maintainHostedRepo(
      createGitEngine({ codec }),
      { id: 'a', state, packs },
      {
        now: Date.now() + round * 2 * grace,
        grace,
        retireGrace: grace,
        mergeMax: 1e9,
        rowsMax: 1_500_000,
        quietMerge: { after: grace, alwaysMax: 1e9 },
        inUse: () => false,
        newId: () => crypto.randomUUID(),
      },
    );
  }
}

describe('workerd: maintenance', () => {
  let repo: Repo;
  let value: string;

  beforeEach(async () => {
    repo = await newRepo();
    let parent: string | undefined;
    for (let i = 0; i < 3; i++) {
      const next = pushOf(parent);
      await push(repo, next.body);
      parent = next.value;
    }
    value = parent ?? '';
  });

  /** The same refs, everything sound, one pack, and nothing else in the bucket. */
  async function expectMaintained({ state, packs }: Repo): Promise<void> {
    const snapshot = await state.snapshot();
    expect(await wholeState(state)).toMatchObject({ refs: [{ oid: value }], packs: [{ objects: 9, exact: true }] });
    if (snapshot === undefined) return;
    const engine = createGitEngine({ codec });
    expect(await verifyRepository(engine, { state, packs: packs() }, snapshot)).toEqual([]);
    await sweepLeftovers(state, packs(), Date.now() + 1_000, 0);
    const { objects } = await env.PACKS.list({ prefix: `${repo.account}/` });
    const [pack] = snapshot.packs;
    expect(objects.map(({ key }) => key).sort()).toEqual(
      packFiles.map((file) => `${repo.account}/${pack?.id}.${file}`).sort(),
    );
  }

  it('merges packs in R2, and a second run changes nothing', async () => {
    await maintain(repo, repo.packs());
    await expectMaintained(repo);
    const before = await repo.state.snapshot();
    await maintain(repo, repo.packs());
    expect(await repo.state.snapshot()).toEqual(before);
  });

  it('run twice at the same time ends as run once', async () => {
    await Promise.allSettled([maintain(repo, repo.packs()), maintain(repo, repo.packs())]);
    await maintain(repo, repo.packs());
    await expectMaintained(repo);
  });

  /** Fails or resets at the operation of that number. */
  const harmedAt = (at: number, harm: (call: BucketCall) => BucketFault | undefined): PackStore => {
    let count = 0;
    return repo.packs({ bucket: new FaultyBucket(env.PACKS, (call) => (count++ === at ? harm(call) : undefined)) });
  };

  // Reads of three packs, three puts, and the removal of what was replaced.
  for (const at of [0, 4, 9, 11, 12, 13, 14, 15, 16]) {
    it(`is done by the next one when its object is reset at operation ${at} of the bucket`, async () => {
      let reset: Promise<void> | undefined;
      const packs = harmedAt(at, () => {
        reset = abortAllDurableObjects();
        return undefined;
      });
      await maintain(repo, packs).catch(() => undefined);
      await reset;
      const again = reopened(repo);
      await maintain(again, again.packs());
      await expectMaintained(again);
    });

    it.each(['refused', 'lost'] as const)(
      `is done by the next one when operation ${at} of the bucket is %s`,
      async (fault) => {
        await maintain(
          repo,
          harmedAt(at, () => fault),
        ).catch(() => undefined);
        await maintain(repo, repo.packs());
        await expectMaintained(repo);
      },
    );
  }
});
