import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { copyingDelta, offsetDistance } from '../../../tools/copying-delta.ts';
import { expectFetched } from '../../../tools/hosted-objects.ts';
import { blob, commit, packEntry, packOfEntries, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { expectReport, main, taken } from '../../../tools/push-reports.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { set } from '../../../tools/wire-client.ts';

const text = 'some text that is changed a little from one version to the next; '.repeat(46);
const versions = Array.from({ length: 30 }, (_, i) => blob(`${text}version ${i}`));
const [zero, one] = versions as [MadeObject, MadeObject];
const root = tree(Object.fromEntries(versions.map((version, i) => [`v${String(i).padStart(2, '0')}`, version])));
const node = commit('versions', root);
const whole = [packEntry(2, root.body), packEntry(1, node.body)];

function reference(to: MadeObject, from: MadeObject): Buffer {
  return packEntry(7, copyingDelta(from.body, to.body), Buffer.from(from.oid, 'hex'));
}

/** Each version as a delta of the one before. */
const chain = versions.slice(1).map((version, i) => reference(version, versions[i] as MadeObject));
const start = packEntry(3, zero.body);

export const gitReceivePackDeltas: Suite = suite(
  {
    id: 'git/receive-pack/deltas/reference',
    requirements: ['GIT-118'],
    level: 'MUST',
    explanation: 'Chains of deltas by reference are taken, with their bases in any order.',
    async run(t) {
      for (const [order, entries] of [
        ['before', [start, ...chain, ...whole]],
        ['behind', [...whole, ...[...chain].reverse(), start]],
        ['around', [...chain.slice(15), start, ...whole, ...chain.slice(0, 15)]],
      ] as const) {
        const repo = await t.createRepo();
        const what = `A chain whose bases stand ${order} their deltas is taken.`;
        await expectReport(repo, [set(main, node)], packOfEntries(entries), taken(main), what);
        await expectFetched(repo, [node], [], [node, root, ...versions], 'All of it can be fetched.');
      }
    },
  },
  {
    id: 'git/receive-pack/deltas/thin',
    requirements: ['GIT-118', 'GIT-145'],
    level: 'MUST',
    explanation: 'A base that only the repo has will do; a repo that lacks it refuses the same pack by its id.',
    async run(t) {
      const held = tree({ zero });
      const old = commit('start', held);
      const changed = tree({ zero: one });
      const newer = commit('changed', changed, [old]);
      const entries = [reference(one, zero), packEntry(2, changed.body), packEntry(1, newer.body)];
      const ref = 'refs/heads/new';
      const thin = await repoWith(t, { 'refs/heads/old': old }, [old, held, zero]);
      await expectReport(thin, [set(ref, newer)], packOfEntries(entries), taken(ref), 'A thin pack is completed.');
      await expectFetched(thin, [newer], [old], [newer, changed, one], 'What it brought can be fetched.');
      await expectReport(
        await t.createRepo(),
        [set(ref, newer)],
        packOfEntries(entries),
        [`unpack missing base ${zero.oid}`, `ng ${ref} unpacker error`],
        'Without the base in the repo the pack is refused.',
      );
    },
  },
  {
    id: 'git/receive-pack/deltas/offset',
    requirements: ['GIT-118', 'GIT-144'],
    level: 'MUST',
    explanation: 'Deltas by offset are taken, also over thousands of bytes; one that leads out of the pack is not.',
    async run(t) {
      const filler = blob(Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * i) % 251)));
      const apart = packEntry(3, filler.body);
      const top = tree({ filler, one, zero });
      const value = commit('offsets', top);
      const rest = [packEntry(2, top.body), packEntry(1, value.body)];
      const delta = copyingDelta(zero.body, one.body);
      for (const between of [[], [apart]]) {
        const repo = await t.createRepo();
        const distance = start.length + between.reduce((sum, { length }) => sum + length, 0);
        const later = between.length === 0 ? [apart] : [];
        const entries = [start, ...between, packEntry(6, delta, offsetDistance(distance)), ...later, ...rest];
        const what = `A base ${distance} bytes before its delta is found.`;
        await expectReport(repo, [set(main, value)], packOfEntries(entries), taken(main), what);
        await expectFetched(repo, [value], [], [value, top, zero, one, filler], 'All of it can be fetched.');
      }
      assert(apart.length > 128, 'One of the distances takes more than a byte.');
      await expectReport(
        await t.createRepo(),
        [set(main, value)],
        packOfEntries([packEntry(6, delta, offsetDistance(99)), start, apart, ...rest]),
        ['unpack corrupt delta at offset 12', `ng ${main} unpacker error`],
        'A base before the pack is none.',
      );
    },
  },
);
