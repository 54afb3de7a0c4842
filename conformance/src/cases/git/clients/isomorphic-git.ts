/** GIT-173 of docs/specification/git.md: isomorphic-git as a client. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { join } from 'node:path';
import * as isomorphic from 'isomorphic-git';
import { suite, type Suite } from '../../../core/case.ts';
import type { TestRepo } from '../../../core/context.ts';
import { isomorphicAccess, type IsomorphicAccess } from '../../../steps/isomorphic-http.ts';
import { same } from '../../../tools/same.ts';
import { listedRefs } from '../../../tools/wire-client.ts';
import { contentsOf } from '../../../steps/work-tree.ts';

const author = { name: 'Ada Example', email: 'ada@example.com', timestamp: 1_700_000_000, timezoneOffset: 0 };

function access(repo: TestRepo): IsomorphicAccess & { fs: typeof fs } {
  return { fs, ...isomorphicAccess(repo) };
}

async function write(dir: string, path: string, text: string): Promise<string> {
  await fs.promises.writeFile(join(dir, path), text);
  await isomorphic.add({ fs, dir, filepath: path });
  return await isomorphic.commit({ fs, dir, message: `write ${path}`, author });
}

async function init(dir: string): Promise<string> {
  await isomorphic.init({ fs, dir, defaultBranch: 'main' });
  return dir;
}

export const gitClientsIsomorphicGit: Suite = suite(
  {
    id: 'git/clients/isomorphic-git-push-and-clone',
    requirements: ['GIT-173'],
    level: 'MUST',
    explanation: 'isomorphic-git pushes to an empty repo, clones, fetches, pulls and deletes.',
    async run(t) {
      const repo = await t.createRepo();
      const remote = access(repo);
      const dir = await init(await t.folder());
      const one = await write(dir, 'a.txt', 'one\n');
      const two = await write(dir, 'a.txt', 'two\n');
      await isomorphic.tag({ fs, dir, ref: 'v1', object: one });
      for (const ref of ['main', 'v1']) {
        const { ok } = await isomorphic.push({ ...remote, dir, ref });
        assert.ok(ok, `${ref} is pushed.`);
      }
      same(
        await listedRefs(repo),
        { HEAD: `${two} symref-target:refs/heads/main`, 'refs/heads/main': two, 'refs/tags/v1': one },
        'Branch and tag are there.',
      );

      const copy = await t.folder();
      await isomorphic.clone({ ...remote, dir: copy });
      assert.equal(await isomorphic.currentBranch({ fs, dir: copy }), 'main', 'A clone is on the default branch.');
      assert.equal(await fs.promises.readFile(join(copy, 'a.txt'), 'utf8'), 'two\n', 'Its file is checked out.');
      const log = await isomorphic.log({ fs, dir: copy });
      same(
        log.map(({ oid }) => oid),
        [two, one],
        'It has the whole history.',
      );

      const three = await write(dir, 'b.txt', 'three\n');
      await isomorphic.push({ ...remote, dir, ref: 'main' });
      const fetched = await isomorphic.fetch({ ...remote, dir: copy, ref: 'main' });
      assert.equal(fetched.fetchHead, three, 'A fetch brings the next commit.');
      await isomorphic.pull({ ...remote, dir: copy, ref: 'main', author, singleBranch: true });
      assert.equal(await isomorphic.resolveRef({ fs, dir: copy, ref: 'HEAD' }), three, 'A pull goes there.');

      await isomorphic.branch({ fs, dir, ref: 'side', object: one });
      await isomorphic.push({ ...remote, dir, ref: 'side' });
      assert.equal((await listedRefs(repo))['refs/heads/side'], one, 'A second branch is there.');
      const { ok } = await isomorphic.push({ ...remote, dir, ref: 'side', delete: true });
      assert.ok(ok, 'It is deleted.');
      assert.equal((await listedRefs(repo))['refs/heads/side'], undefined, 'It is gone.');
    },
  },
  {
    id: 'git/clients/isomorphic-git-and-stock-git',
    requirements: ['GIT-173', 'GIT-175'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'What isomorphic-git pushed stock git clones, sound and the same.',
    async run(t) {
      const repo = await t.createRepo();
      const dir = await init(await t.folder());
      for (const i of [1, 2, 3]) await write(dir, `file-${i % 2}`, `text ${i}\n`);
      await isomorphic.annotatedTag({ fs, dir, ref: 'v1', message: 'one', tagger: author });
      for (const ref of ['main', 'v1']) await isomorphic.push({ ...access(repo), dir, ref });
      const mirror = await t.folder();
      await t.git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, '.'], { cwd: mirror });
      // A local remote-tracking ref, which the service does not have.
      await t.git(['update-ref', '-d', 'refs/remotes/origin/main'], { cwd: dir });
      same(await contentsOf(t, mirror), await contentsOf(t, dir), 'Refs and objects are the same.');
      await t.git(['fsck', '--full', '--strict'], { cwd: mirror });
    },
  },
  {
    id: 'git/clients/isomorphic-git-lists',
    requirements: ['GIT-173', 'GIT-043', 'GIT-091'],
    level: 'MUST',
    explanation: 'isomorphic-git lists the refs of the server with protocol 1 and 2, tags peeled.',
    async run(t) {
      const repo = await t.createRepo();
      const remote = access(repo);
      const dir = await init(await t.folder());
      const oid = await write(dir, 'a', '1');
      await isomorphic.tag({ fs, dir, ref: 'light' });
      await isomorphic.annotatedTag({ fs, dir, ref: 'full', message: 'full', tagger: author });
      const full = await isomorphic.resolveRef({ fs, dir, ref: 'refs/tags/full' });
      for (const ref of ['main', 'light', 'full']) await isomorphic.push({ ...remote, dir, ref });
      for (const protocolVersion of [1, 2] as const) {
        const options = { ...remote, protocolVersion };
        same(
          await isomorphic.listServerRefs({ ...options, symrefs: true, peelTags: true }),
          [
            { ref: 'HEAD', oid, target: 'refs/heads/main' },
            { ref: 'refs/heads/main', oid },
            { ref: 'refs/tags/full', oid: full, peeled: oid },
            { ref: 'refs/tags/light', oid },
          ],
          `All refs are listed with protocol ${protocolVersion}.`,
        );
        const tags = await isomorphic.listServerRefs({ ...options, prefix: 'refs/tags/' });
        same(
          tags.map(({ ref }) => ref),
          ['refs/tags/full', 'refs/tags/light'],
          `Those of a prefix are listed with protocol ${protocolVersion}.`,
        );
      }
    },
  },
  {
    id: 'git/clients/isomorphic-git-single-branch',
    requirements: ['GIT-173', 'GIT-131'],
    level: 'MUST',
    explanation: 'isomorphic-git clones a single branch, and a repo without any.',
    async run(t) {
      const repo = await t.createRepo();
      const remote = access(repo);
      const dir = await init(await t.folder());
      await write(dir, 'a', '1');
      for (const ref of ['side', 'other']) await isomorphic.branch({ fs, dir, ref });
      for (const ref of ['main', 'side', 'other']) await isomorphic.push({ ...remote, dir, ref });
      const copy = await t.folder();
      await isomorphic.clone({ ...remote, dir: copy, ref: 'side', singleBranch: true });
      assert.equal(await isomorphic.currentBranch({ fs, dir: copy }), 'side', 'The clone is on the branch.');
      const branches = await isomorphic.listBranches({ fs, dir: copy, remote: 'origin' });
      assert.ok(!branches.includes('other'), 'The other branch did not come.');
      const empty = await t.folder();
      await isomorphic.clone({ ...access(await t.createRepo()), dir: empty });
      same(await fs.promises.readdir(empty), ['.git'], 'A clone of an empty repo is empty.');
    },
  },
  {
    id: 'git/clients/isomorphic-git-refusals',
    requirements: ['GIT-173', 'GIT-024', 'GIT-025'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'isomorphic-git is told of a missing and of a wrong credential, and goes back only if forced.',
    async run(t) {
      const repo = await t.createRepo();
      const remote = access(repo);
      const dir = await init(await t.folder());
      const one = await write(dir, 'a', '1');
      await isomorphic.push({ ...remote, dir, ref: 'main' });
      const wrong = { ...remote, onAuth: () => ({ username: 'x', password: 'wrong' }) };
      const status = (statusCode: number) => (error: unknown) =>
        (error as { data?: { statusCode?: number } }).data?.statusCode === statusCode;
      await assert.rejects(isomorphic.fetch({ ...wrong, dir }), status(403), 'A wrong credential is 403.');
      await assert.rejects(
        isomorphic.fetch({ fs, http: remote.http, url: repo.remote, dir }),
        status(401),
        'None is 401.',
      );
      await write(dir, 'b', '2');
      await isomorphic.push({ ...remote, dir, ref: 'main' });
      await isomorphic.branch({ fs, dir, ref: 'main', object: one, force: true });
      await assert.rejects(isomorphic.push({ ...remote, dir, ref: 'main' }), { code: 'PushRejectedError' });
      const { ok } = await isomorphic.push({ ...remote, dir, ref: 'main', force: true });
      assert.ok(ok, 'A forced push is accepted.');
      assert.equal((await listedRefs(repo))['refs/heads/main'], one, 'The branch went back.');
    },
  },
);
