import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { refsOf } from '../../../tools/hosted-objects.ts';
import { blob, change, commit, pack, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { expectReport, main, taken } from '../../../tools/push-reports.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { linesOf, commandBody, post, push, remove, set } from '../../../tools/wire-client.ts';
import { meagreSettings, only, smallPacks } from '../../../steps/settings.ts';

const first = change('first');

/** Makes a commit whose files do not compress: about 12,500 bytes. */
function heavy(seed: number): { node: MadeObject; all: MadeObject[] } {
  const files = Array.from({ length: 6 }, (_, i) => blob(noise(2000, 10 * seed + i)));
  const root = tree(Object.fromEntries(files.map((file, i) => [`f${i}`, file])));
  const node = commit(`heavy ${seed}`, root);
  return { node, all: [node, root, ...files] };
}

export const gitLimitsStorage: Suite = suite(
  {
    id: 'git/limits/storage/repo',
    requirements: ['LIM-050', 'GIT-166'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallPacks, 'repo_storage_max'),
    explanation: 'A push that makes the repo larger than allowed is refused; what takes no room is not.',
    async run(t) {
      const repo = await t.createRepo();
      const [one, two] = [heavy(1), heavy(2)];
      const ref = 'refs/heads/two';
      await accepted(repo, [set(main, one.node)], pack(...one.all));
      const [unpack = '', ...results] = await push(repo, [set(ref, two.node)], pack(...two.all));
      assert.match(unpack, /^unpack storage limit exceeded: \d+ bytes, limit 20000 \(repo_storage_max\)$/);
      same(results, [`ng ${ref} storage limit exceeded`], 'The second one has no room.');
      same(await refsOf(repo), { [main]: one.node.oid }, 'The refs are as before.');
      await expectReport(repo, [set(ref, one.node)], pack(), taken(ref), 'A ref to what is there takes no room.');
      await expectReport(repo, [remove(ref, one.node)], Buffer.alloc(0), taken(ref), 'A delete takes no room.');
      await accepted(await t.createRepo(), [set(main, two.node)], pack(...two.all));
    },
  },
  {
    id: 'git/limits/storage/account',
    requirements: ['LIM-012', 'GIT-165'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(meagreSettings, 'account_storage_max'),
    explanation: 'An account that has no room left is told by the same words, and its setting.',
    async run(t) {
      const repo = await t.createRepo();
      const { node, all } = heavy(1);
      const [unpack = '', ...results] = await push(repo, [set(main, node)], pack(...all));
      assert.match(unpack, /^unpack storage limit exceeded: no room for \d+ bytes more \(account_storage_max\)$/);
      same(results, [`ng ${main} storage limit exceeded`], 'The push is refused.');
      same(await refsOf(repo), {}, 'No ref was made.');
    },
  },
  {
    id: 'git/limits/storage/memory',
    requirements: ['LIM-059'],
    level: 'SHOULD',
    needs: ['settings'],
    settings: only(smallPacks, 'request_memory_max'),
    explanation: 'A push or fetch that needs more memory than a request may is refused, and other requests go on.',
    async run(t) {
      const repo = await t.createRepo();
      // The index alone takes more than the limit.
      const strays = Array.from({ length: 1200 }, (_, i) => blob(`${i}`));
      const [unpack = '', ...results] = await push(repo, [set(main, first)], pack(...first.all, ...strays));
      assert.match(unpack, /^unpack not enough memory: \d+ bytes, limit \d+ \(request_memory_max\)$/);
      same(results, [`ng ${main} not enough memory`], 'A pack of many objects needs more than the limit.');
      await accepted(repo, [set(main, first)], pack(...first.all));
      const haves = strays.map(({ oid }) => `have ${oid}`);
      const fetch = await post(repo, commandBody('fetch', [`want ${first.oid}`, ...haves, 'done']));
      same(fetch.status, 413, 'So does a fetch that tells of many.');
      assert.match(fetch.body.toString(), /: \d+ bytes, limit \d+ \(request_memory_max\)$/, 'It says by how much.');
      const listed = linesOf((await post(repo, commandBody('ls-refs'))).body);
      same(listed.includes(`${first.oid} ${main}`), true, 'Other requests are answered.');
    },
  },
);
