/**
 * GIT-127, LIM-064 and LIM-065 of docs/specification/git.md: unreachable objects. Collection is visible from outside:
 * while a repo holds an object, it is common (GIT-064), and afterwards it is not.
 */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import { NotDone } from '../../core/outcome.ts';
import { advertised, fetchFeatures } from '../../tools/advertised.ts';
import { askFor, packIn, versions } from '../../tools/fetch-request.ts';
import { expectIntact, idsOf, refsOf } from '../../tools/hosted-objects.ts';
import {
  blob,
  change,
  commit,
  insertingDelta,
  pack,
  packEntry,
  packOfEntries,
  tree,
  type MadeCommit,
  type MadeObject,
} from '../../tools/made-objects.ts';
import { noise } from '../../tools/noise.ts';
import { readPack } from '../../tools/pack-contents.ts';
import { expectReport, main, refused, taken } from '../../tools/push-reports.ts';
import { accepted, repoWith } from '../../steps/repo-with.ts';
import { same } from '../../tools/same.ts';
import { patience, untilCollected } from '../../steps/until-collected.ts';
import { commandBody, linesOf, post, push, remove, set, type Remote } from '../../tools/wire-client.ts';
import { only, soonCollected } from '../../steps/settings.ts';

const first = change('first');
const second = change('second', first);
/** On a branch that is deleted: with a new file, and one that `first` also has. */
const ownFile = blob('its own\n');
const goneRoot = tree({ file: first.file, own: ownFile });
const gone = commit('gone', goneRoot, [first]);
const goneObjects: readonly MadeObject[] = [gone, goneRoot, ownFile];
const side = 'refs/heads/side';

function repoOfTwo(t: Context): Promise<TestRepo> {
  return repoWith(t, { [main]: second, [side]: gone }, [...first.all, ...second.all, ...goneObjects]);
}

/** Expects that no fetch request reveals any of these objects. */
async function expectUnreadable(repo: Remote, objects: readonly MadeObject[], ref: string): Promise<void> {
  const features = await fetchFeatures(repo);
  const capabilities = await advertised(repo, 'git-upload-pack', 2);
  for (const { oid } of objects) {
    for (const version of versions) {
      const more = features.includes('filter') && version !== 1 ? [{}, { filter: 'blob:none' }] : [{}];
      for (const asked of more) {
        const { error } = await askFor(repo, version, { wants: [oid], ...asked });
        same(error, `upload-pack: not our ref ${oid}`, `In version ${version} it cannot be wanted.`);
      }
    }
  }
  if (capabilities.some((word) => word.startsWith('object-info'))) {
    const { body } = await post(repo, commandBody('object-info', ['size', ...objects.map(({ oid }) => `oid ${oid}`)]));
    same(linesOf(body), ['size', ...objects.map(({ oid }) => `${oid} `), 'flush'], 'No size is told.');
  }
  if (features.includes('ref-in-want')) {
    const { body } = await post(repo, commandBody('fetch', [`want-ref ${ref}`, 'done']));
    same(linesOf(body), [`ERR unknown ref ${ref}`], 'The ref is unknown.');
  }
  if (features.includes('shallow')) {
    const { error } = await askFor(repo, 2, { wants: [second.oid], depth: [`deepen-not ${ref}`] });
    same(error, 'no commits selected for shallow requests', 'It excludes nothing.');
  }
  if (features.includes('filter')) {
    for (const name of [ownFile.oid, `${ref}:own`]) {
      const { error } = await askFor(repo, 2, { wants: [second.oid], filter: `sparse:oid=${name}` });
      same(error, `invalid filter-spec 'sparse:oid=${name}'`, 'It gives no patterns.');
    }
  }
  assert.equal((await refsOf(repo))[ref], undefined, 'The ref is not listed.');
}

const maintained = {
  level: 'MUST',
  needs: ['settings', 'maintenance'],
  slow: true,
  settings: only(soonCollected, 'gc_grace', 'stale_want_grace'),
} as const;

export const gitCollection: Suite = suite(
  {
    ...maintained,
    id: 'git/collection/deleted',
    requirements: ['GIT-127', 'LIM-064', 'LIM-065', 'GIT-060', 'GIT-100'],
    explanation: 'Of a deleted branch nothing can be read from then on, and after the grace it is gone.',
    async run(t) {
      const repo = await repoOfTwo(t);
      await accepted(repo, [remove(side, gone)]);
      await expectUnreadable(repo, goneObjects, side);
      await untilCollected(repo, first, [gone]);
      await expectUnreadable(repo, goneObjects, side);
      await expectIntact(repo);
      const { objects } = readPack(packIn(await askFor(repo, 2, { wants: [second.oid] })));
      same(idsOf(objects.values()), idsOf([...first.all, ...second.all]), 'What refs reach is whole.');
    },
  },
  {
    ...maintained,
    id: 'git/collection/not-taken-up',
    requirements: ['GIT-127', 'GIT-145', 'GIT-149'],
    explanation: 'What was collected is there for no push: neither by its id, nor below a commit, nor as a base.',
    async run(t) {
      const repo = await repoOfTwo(t);
      await accepted(repo, [remove(side, gone)]);
      await untilCollected(repo, first, [gone]);
      const again = 'refs/heads/again';
      const lost = refused(again, 'missing necessary objects');
      await expectReport(repo, [set(again, gone)], pack(), lost, 'It is not there by its id.');
      const child = commit('child', first.root, [gone]);
      await expectReport(repo, [set(again, child)], pack(child), lost, 'Nor below a commit.');
      const file = blob('a delta of it\n');
      const root = tree({ file });
      const node = commit('delta', root, [first]);
      const delta = packEntry(7, insertingDelta(ownFile.body.length, file.body), Buffer.from(ownFile.oid, 'hex'));
      const thin = packOfEntries([packEntry(1, node.body), packEntry(2, root.body), delta]);
      const missing = [`unpack missing base ${ownFile.oid}`, `ng ${again} unpacker error`];
      await expectReport(repo, [set(again, node)], thin, missing, 'Nor as a base.');
      await expectReport(repo, [set(again, gone)], pack(...goneObjects), taken(again), 'It can be pushed again.');
      const { objects } = readPack(packIn(await askFor(repo, 2, { wants: [gone.oid], haves: [first.oid] })), first.all);
      same(idsOf(objects.values()), idsOf(goneObjects), 'Then it is there again.');
      await expectIntact(repo);
    },
  },
  {
    ...maintained,
    id: 'git/collection/rewritten',
    requirements: ['GIT-127', 'LIM-064', 'GIT-126'],
    explanation: 'Of history that forced pushes leave behind, again and again, just what refs reach stays, whole.',
    async run(t) {
      const repo = await repoWith(t, { [main]: first }, first.all);
      const left: MadeCommit[] = [];
      let tip: MadeCommit = first;
      let above = first;
      for (let round = 0; round < 12; round++) {
        // Every third round continues the round before; the others abandon it.
        const next = round % 3 === 0 ? change(`round ${round}`, tip) : change(`round ${round}`, above);
        if (round % 3 === 0) above = tip;
        else left.push(tip);
        await accepted(repo, [set(main, next, tip)], pack(...next.all));
        tip = next;
      }
      await untilCollected(repo, first, left);
      await expectIntact(repo);
      for (const { oid } of left) {
        const { error } = await askFor(repo, 0, { wants: [oid] });
        same(error, `upload-pack: not our ref ${oid}`, 'What was left behind cannot be wanted.');
      }
    },
  },
  {
    ...maintained,
    id: 'git/collection/storage',
    settings: only(soonCollected, 'gc_grace', 'stale_want_grace', 'repo_storage_max'),
    requirements: ['LIM-050', 'GIT-127', 'GIT-166'],
    explanation: 'What was collected does not count as storage any more.',
    async run(t) {
      const repo = await repoWith(t, { [main]: first }, first.all);
      const large = (seed: number): { node: MadeObject; all: MadeObject[] } => {
        const file = blob(noise(250_000, seed));
        const root = tree({ file });
        const node = commit(`large ${seed}`, root, [first]);
        return { node, all: [node, root, file] };
      };
      const [one, two] = [large(1), large(2)];
      await accepted(repo, [set(side, one.node)], pack(...one.all));
      await accepted(repo, [remove(side, one.node)]);
      await untilCollected(repo, first, [one.node]);
      const end = Date.now() + patience;
      for (;;) {
        const report = await push(repo, [set(side, two.node)], pack(...two.all));
        if (report[0] === 'unpack ok') break;
        assert.match(report[0] ?? '', /^unpack storage limit exceeded/, 'There is no other reason to refuse it.');
        if (Date.now() > end) throw new NotDone('what was collected counts as storage still');
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      await expectIntact(repo);
    },
  },
  {
    id: 'git/collection/no-stale-tips',
    level: 'MUST',
    needs: ['settings'],
    settings: only(soonCollected, 'stale_want_grace'),
    requirements: ['GIT-061', 'LIM-065'],
    beyond: true,
    explanation: 'Without a grace for stale tips a want is refused as soon as a push took its ref.',
    async run(t) {
      const repo = await repoWith(t, { [main]: first, [side]: second }, [...first.all, ...second.all]);
      const next = change('next');
      await accepted(repo, [set(main, next, first), remove(side, second)], pack(...next.all));
      for (const version of versions) {
        for (const { oid } of [first, second]) {
          const { error } = await askFor(repo, version, { wants: [oid] });
          same(error, `upload-pack: not our ref ${oid}`, `It is refused in version ${version}.`);
        }
      }
    },
  },
);
