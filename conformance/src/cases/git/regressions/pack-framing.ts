/** Faults of other servers in finding and reading the pack of a push. */

import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { suite, type Suite } from '../../../core/case.ts';
import { copyingDelta } from '../../../tools/copying-delta.ts';
import { expectFetched, expectIntact, refsOf } from '../../../tools/hosted-objects.ts';
import {
  blob,
  change,
  commit,
  pack,
  packEntry,
  packOfEntries,
  tree,
  type MadeObject,
} from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { expectReport, main, taken } from '../../../tools/push-reports.ts';
import { postParts } from '../../../steps/raw-request.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { credentialOf, flush, post, pushBody, remove, reportOf, set } from '../../../tools/wire-client.ts';
import { commitFile, contentsOf, freshWork, traced } from '../../../steps/work-tree.ts';

const text = 'some text that is changed a little from one version to the next; '.repeat(46);

function reference(to: MadeObject, from: MadeObject): Buffer {
  return packEntry(7, copyingDelta(from.body, to.body), Buffer.from(from.oid, 'hex'));
}

export const gitRegressionsPackFraming: Suite = suite(
  {
    id: 'git/regressions/probe',
    requirements: ['GIT-013', 'GIT-174'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'The probe of four bytes before a chunked push is answered, and changes nothing.',
    async run(t) {
      const repo = await t.createRepo();
      const { status, body } = await post(repo, flush, { service: 'git-receive-pack', version: 0 });
      same([status, body.length], [200, 0], 'The probe is answered 200 with nothing.');
      same(await refsOf(repo), {}, 'It makes no ref.');
      const work = await freshWork(t);
      await commitFile(t, work, 'large', noise(300_000));
      const push = [...repo.auth, '-c', 'http.postBuffer=65536', 'push', '--quiet', repo.remote, 'main'];
      const { status: pushed, headers } = await traced(t, push, work);
      assert.equal(pushed, 0, 'A push above http.postBuffer succeeds.');
      assert.ok(headers.includes('content-length: 4'), 'Git sent the probe.');
      assert.ok(headers.includes('transfer-encoding: chunked'), 'Git sent the pack in chunks.');
      const cwd = await t.folder();
      await t.git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, cwd]);
      same(await contentsOf(t, cwd), await contentsOf(t, work), 'All of it is there.');
    },
  },
  {
    id: 'git/regressions/signature-in-names',
    requirements: ['GIT-110', 'GIT-120'],
    level: 'MUST',
    // https://github.com/gitmono-dev/mega/pull/2174
    explanation: 'A ref whose name has the signature of a pack in it is a ref like any other.',
    async run(t) {
      const first = change('PACK');
      const names = ['refs/heads/PACK', 'refs/heads/JDK-PACK', 'refs/PACK/0000'];
      const repo = await t.createRepo();
      const commands = names.map((name) => set(name, first));
      await expectReport(repo, commands, pack(...first.all), taken(...names), 'All of them are made.');
      const removals = names.map((name) => remove(name, first));
      await expectReport(repo, removals, Buffer.alloc(0), taken(...names), 'All of them are deleted, without a pack.');
      same(await refsOf(repo), {}, 'None is left.');
    },
  },
  {
    id: 'git/regressions/signature-in-pieces',
    requirements: ['GIT-011', 'GIT-110'],
    level: 'MUST',
    needs: ['origin'],
    // https://github.com/gitmono-dev/mega/pull/2174
    explanation: 'Where a body is cut into chunks does not matter, also within the signature of the pack.',
    async run(t) {
      const first = change('first');
      const body = pushBody([set(main, first)], pack(...first.all));
      const start = body.lastIndexOf('PACK');
      for (const cuts of [
        [start + 1],
        [start + 3],
        [start - 4, start - 2, start, start + 2],
        [start + 4, start + 11],
      ]) {
        const repo = await t.createRepo();
        const parts = [0, ...cuts].map((cut, i) => body.subarray(cut, cuts[i]));
        const headers = {
          ...credentialOf(repo),
          'content-type': 'application/x-git-receive-pack-request',
        };
        const reply = await postParts(`${repo.remote}/git-receive-pack`, headers, parts);
        same(reportOf(reply.body), taken(main), `The push is taken when it is cut at ${cuts.join(', ')}.`);
        await expectFetched(repo, [first], [], first.all, 'All of it is there.');
      }
    },
  },
  {
    id: 'git/regressions/gzipped-push',
    requirements: ['GIT-011'],
    level: 'MUST',
    explanation: 'A push whose body is gzipped is taken, with its pack and without one.',
    async run(t) {
      const first = change('first');
      const repo = await t.createRepo();
      const options = { service: 'git-receive-pack', version: 0, headers: { 'content-encoding': 'gzip' } } as const;
      const pushed = await post(repo, gzipSync(pushBody([set(main, first)], pack(...first.all))), options);
      same(reportOf(pushed.body), taken(main), 'With its pack it is taken.');
      await expectFetched(repo, [first], [], first.all, 'All of it is there.');
      const removed = await post(repo, gzipSync(pushBody([remove(main, first)], Buffer.alloc(0))), options);
      same(reportOf(removed.body), taken(main), 'A deletion is, too.');
      same(await refsOf(repo), {}, 'The ref is gone.');
    },
  },
  {
    id: 'git/regressions/late-bases',
    requirements: ['GIT-118', 'GIT-145'],
    level: 'MUST',
    // https://github.com/GitoxideLabs/gitoxide/issues/2882
    explanation:
      'A delta by id whose base comes later in the pack is resolved, whether or not the repo has the base too.',
    async run(t) {
      const versions = Array.from({ length: 12 }, (_, i) => blob(`${text}version ${i}`));
      const root = tree(Object.fromEntries(versions.map((version, i) => [`v${String(i).padStart(2, '0')}`, version])));
      const tip = commit('versions', root);
      // Each is a delta of the one after it, except the last.
      const deltas = versions.slice(0, -1).map((version, i) => reference(version, versions[i + 1] as MadeObject));
      const last = versions.at(-1) as MadeObject;
      const entries = [...deltas, packEntry(2, root.body), packEntry(3, last.body), packEntry(1, tip.body)];
      const held = tree({ file: last });
      const old = commit('old', held);
      const fresh = await t.createRepo();
      const withBase = await repoWith(t, { 'refs/heads/old': old }, [old, held, last]);
      for (const repo of [fresh, withBase]) {
        await expectReport(repo, [set(main, tip)], packOfEntries(entries), taken(main), 'The pack is taken.');
        await expectFetched(repo, [tip], [], [tip, root, ...versions], 'All of it can be fetched.');
        await expectIntact(repo);
      }
    },
  },
  {
    id: 'git/regressions/second-push',
    requirements: ['GIT-118'],
    level: 'MUST',
    needs: ['git'],
    // https://github.com/fusebit/cloud-git/issues/3, https://github.com/go-git/go-git/issues/1119
    explanation: 'Pushes after the first one, whose deltas have bases in the repo alone, are taken.',
    async run(t) {
      const repo = await t.createRepo();
      const work = await freshWork(t);
      for (let i = 0; i < 4; i++) {
        await commitFile(t, work, 'text', `${text}\n`.repeat(20) + `version ${i}\n`);
        await t.git([...repo.auth, 'push', '--quiet', '--thin', repo.remote, 'main'], { cwd: work });
      }
      const cwd = await t.folder();
      await t.git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, cwd]);
      same(await contentsOf(t, cwd), await contentsOf(t, work), 'A clone has all of it.');
      await t.git(['fsck', '--full', '--strict'], { cwd });
    },
  },
);
