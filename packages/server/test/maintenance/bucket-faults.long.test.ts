/** Maintenance on a bucket that fails: nothing is lost, and the next one does it all (GIT-127). */

import { createGitEngine, packFiles, verifyRepository, type PackStore } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { blob, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { pushBody, remove, set, type Command } from '@packhouse/conformance/tools/wire-client';
import { sampleOf } from '@packhouse/fixtures';
import { maintainHostedRepo, sweepLeftovers } from '@packhouse/hosting';
import { afterEach, describe, expect, it } from 'vitest';
import { bucketRepository, pushTo, type BucketRepository } from '../support/bucket-repository.ts';
import { noise } from '../support/repository-under-faults.ts';

const main = 'refs/heads/main';
const gone = 'refs/heads/gone';
/** Milliseconds: of unreachable objects and of replaced packs. */
const grace = 60_000;
const mebi = 1_048_576;

let repository: BucketRepository;

afterEach(() => repository.close());

interface Push {
  readonly ref: string;
  readonly bytes: Uint8Array;
}

function pushOf(command: Command, objects: readonly MadeObject[]): Push {
  return {
    ref: String(command.ref),
    bytes: pushBody([command], objects.length === 0 ? new Uint8Array() : pack(...objects)),
  };
}

async function push({ ref, bytes }: Push): Promise<void> {
  const { state, snapshot } = repository;
  const report = await pushTo({ state, packs: repository.open().packs }, await snapshot(), bytes);
  expect(report).toEqual(['unpack ok', `ok ${ref}`]);
}

/** A line of commits, each of one file of so many bytes that no compression makes smaller. */
function lineOf(size: number, count: number): readonly (readonly MadeObject[])[] {
  const line: (readonly MadeObject[])[] = [];
  for (let i = 0; i < count; i++) {
    const file = blob(noise(size, i + 1));
    const root = tree({ [`file-${i}`]: file });
    const parent = line[i - 1]?.[0];
    line.push([commit(`${i}`, root, parent === undefined ? [] : [parent]), root, file]);
  }
  return line;
}

/** Three pushes to a branch, and one to another that is deleted then. */
function pushesOf(size: number): readonly Push[] {
  const line = lineOf(size, 4);
  const pushes = line.map((objects, i) => {
    const [tip, before] = [objects[0], line[i - 1]?.[0]] as [MadeObject, MadeObject | undefined];
    return pushOf(i === 3 ? set(gone, tip) : set(main, tip, before), objects);
  });
  return [...pushes, pushOf(remove(gone, line[3]?.[0] as MadeObject), [])];
}

/** A new repository with these pushes. */
async function begin(pushes: readonly Push[]): Promise<void> {
  repository = await bucketRepository();
  for (const one of pushes) await push(one);
}

/** Runs maintenance like the service, until no work is left. Advances the clock past each grace. */
async function maintain(packs: PackStore, rowsMax: number): Promise<void> {
  for (let round = 1; round <= 5; round++) {
    await maintainHostedRepo(
      createGitEngine({ codec: nodeCodec() }),
      { id: 'a', state: repository.state, packs },
      {
        now: Date.now() + round * 2 * grace,
        grace,
        retireGrace: grace,
        mergeMax: 1_024 * mebi,
        rowsMax,
        quietMerge: { after: grace, alwaysMax: 1_024 * mebi },
        inUse: () => false,
        newId: () => crypto.randomUUID(),
      },
    );
  }
}

async function expectSound(): Promise<void> {
  const { state, snapshot } = repository;
  const repo = { state, packs: repository.open().packs };
  expect(await verifyRepository(createGitEngine({ codec: nodeCodec() }), repo, await snapshot())).toEqual([]);
}

/** One pack of what is reachable, and nothing else in the bucket once it was swept. */
async function expectMaintained(): Promise<void> {
  await expectSound();
  const { account, bucket, state, snapshot } = repository;
  const { packs } = repository.open();
  await sweepLeftovers(state, packs, Date.now() + 1_000, 0);
  const { packs: kept } = await snapshot();
  expect(kept).toMatchObject([{ objects: 9, exact: true }]);
  const stored = kept.filter(({ where }) => where === 'store');
  expect([...bucket.keys].sort()).toEqual(
    stored.flatMap(({ id }) => packFiles.map((file) => `${account}/${id}.${file}`)).sort(),
  );
  expect(await packs.leftovers(Number.MAX_SAFE_INTEGER)).toEqual([]);
  expect(await state.retiredPacks()).toEqual([]);
}

const scenarios: readonly (readonly [string, number, number])[] = [
  ['lie in rows, and stay there', 100_000, 1_500_000],
  ['lie in rows, and go to the bucket', 600_000, 1_500_000],
  ['are put whole', 1_600_000, 0],
  ['are uploaded in parts', 3_000_000, 0],
];

describe.each(scenarios)('packs that %s', (_, size, rowsMax) => {
  it.each(['refused', 'lost'] as const)(
    'GIT-127: are merged and collected whichever operation of the bucket is %s, for good from there or once',
    async (fault) => {
      const pushes = pushesOf(size);
      await begin(pushes);
      const counted = repository.open();
      await maintain(counted.packs, rowsMax);
      await expectMaintained();
      // Each operation of many is one in a sweep of minutes.
      for (const at of sampleOf([...counted.calls.keys()], 3)) {
        for (const isForGood of [true, false]) {
          // Where it is about megabytes, both ways by turns.
          if (size > 500_000 && isForGood !== (at % 2 === 0)) continue;
          repository.close();
          await begin(pushes);
          let index = 0;
          const { packs } = repository.open(() => {
            const isHit = isForGood ? index >= at : index === at;
            index += 1;
            return isHit ? fault : undefined;
          });
          await maintain(packs, rowsMax).catch(() => undefined);
          await expectSound();
          await maintain(repository.open().packs, rowsMax);
          await expectMaintained();
        }
      }
    },
    600_000,
  );
});
