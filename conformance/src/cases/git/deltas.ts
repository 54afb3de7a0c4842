/** The deltas that a fetch may send without their bases, if the stored ones came in thin packs. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import { copyingDelta } from '../../tools/copying-delta.ts';
import { fetched, idsOf } from '../../tools/hosted-objects.ts';
import { blob, commit, packEntry, packOfEntries, tree, type MadeObject } from '../../tools/made-objects.ts';
import { noise } from '../../tools/noise.ts';
import { main } from '../../tools/push-reports.ts';
import { accepted, repoWith } from '../../steps/repo-with.ts';
import { same } from '../../tools/same.ts';
import { set } from '../../tools/wire-client.ts';

interface Version {
  readonly text: MadeObject;
  readonly root: MadeObject;
  readonly node: MadeObject;
  readonly all: readonly MadeObject[];
}

const versions: Version[] = [];
for (const i of [0, 1, 2]) {
  const text = blob(`${noise(3_000, 5).toString('base64')}\nversion ${i}\n`);
  const root = tree({ text });
  const node = commit(
    `version ${i}`,
    root,
    versions.slice(-1).map((version) => version.node),
  );
  versions.push({ text, root, node, all: [text, root, node] });
}
const [first, second, third] = versions as [Version, Version, Version];

/**
 * Creates a repo with three versions of a text. Each was pushed as a delta of the one before, which its pack does not
 * contain.
 */
async function repoOfThinPacks(t: Context): Promise<TestRepo> {
  const repo = await repoWith(t, { [main]: first.node }, first.all);
  for (const [old, { text, root, node }] of [
    [first, second],
    [second, third],
  ] as const) {
    const delta = packEntry(7, copyingDelta(old.text.body, text.body), Buffer.from(old.text.oid, 'hex'));
    const bytes = packOfEntries([packEntry(1, node.body), packEntry(2, root.body), delta]);
    await accepted(repo, [set(main, node, old.node)], bytes);
  }
  return repo;
}

/** Fetches the third version, and expects the objects that the client lacks. */
async function fetchThird(
  repo: TestRepo,
  had: readonly Version[],
  words: readonly string[],
): Promise<{ types: readonly number[]; outside: readonly string[] }> {
  const held = had.flatMap(({ all }) => all);
  const haves = had.slice(-1).map(({ node }) => node);
  const { objects, types, outside } = await fetched(repo, [third.node], haves, words, held);
  const lacked = versions.slice(had.length).flatMap(({ all }) => all);
  same([...objects.keys()].sort(), idsOf(lacked), `A client with ${had.length} versions gets what it lacks.`);
  return { types, outside: [...outside] };
}

export const gitDeltas: Suite = suite(
  {
    id: 'git/deltas/bases-of-the-client',
    requirements: ['GIT-067'],
    level: 'MUST',
    explanation: 'A delta of what the client has goes only to a client that asks for thin packs.',
    async run(t) {
      const repo = await repoOfThinPacks(t);
      for (const had of [[first], [first, second]]) {
        const held = new Set(idsOf(had.flatMap(({ all }) => all)));
        for (const words of [['ofs-delta'], []]) {
          const { outside } = await fetchThird(repo, had, words);
          same(outside, [], `With "${words.join(' ')}" the pack stands alone.`);
        }
        for (const words of [['ofs-delta', 'thin-pack'], ['thin-pack']]) {
          const { outside } = await fetchThird(repo, had, words);
          assert(
            outside.every((oid) => held.has(oid)),
            'A thin pack leans only on what the client has.',
          );
        }
      }
    },
  },
  {
    id: 'git/deltas/bases-in-other-packs',
    requirements: ['GIT-067'],
    level: 'MUST',
    explanation: 'Deltas lean on bases that are sent too, though these came in other packs, in the form asked for.',
    async run(t) {
      const repo = await repoOfThinPacks(t);
      for (const words of [['ofs-delta'], [], ['ofs-delta', 'thin-pack']]) {
        const { types, outside } = await fetchThird(repo, [], words);
        same(outside, [], 'A client that has nothing gets a pack that stands alone.');
        if (words.length === 0) assert(!types.includes(6), 'Without ofs-delta no delta leans on an offset.');
      }
    },
  },
);
