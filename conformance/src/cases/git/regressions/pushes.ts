/** Faults of pushes to other servers. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { expectIntact, refsOf } from '../../../tools/hosted-objects.ts';
import { change } from '../../../tools/made-objects.ts';
import { main, taken } from '../../../tools/push-reports.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { post, pushBody, readPackets, remove, reportOf } from '../../../tools/wire-client.ts';
import { commitFile, contentsOf, freshWork, protocolVersions, revision, speaking } from '../../../steps/work-tree.ts';

export const gitRegressionsPushes: Suite = suite(
  {
    id: 'git/regressions/many-objects',
    requirements: ['GIT-155', 'GIT-174', 'GIT-170'],
    level: 'MUST',
    needs: ['git'],
    slow: true,
    // https://github.com/stackdot/NodeJS-Git-Server/issues/30
    explanation:
      'A push of 33,000 objects is taken to its end before it is called a success, and all of them come back.',
    async run(t) {
      const work = await t.folder();
      await t.git(['init', '--quiet', '--bare', '--initial-branch=main', work]);
      const head = 'commit refs/heads/main\ncommitter A <a@x> 1600000000 +0000\ndata 0\n';
      const files = Array.from({ length: 33_000 }, (_, i) => {
        const content = `file ${i}`;
        return `M 644 inline ${i % 180}/${i}\ndata ${content.length}\n${content}\n`;
      });
      await t.git(['fast-import', '--quiet'], { cwd: work, input: head + files.join('') });
      const repo = await t.createRepo();
      await t.git([...repo.auth, 'push', '--quiet', repo.remote, 'main'], { cwd: work });
      const cwd = await t.folder();
      await t.git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, cwd]);
      // A clone ends with a check that what its refs reach is whole.
      assert.match(await t.git(['count-objects', '-v'], { cwd }), /^in-pack: 33182$/m, 'A clone has all objects.');
      assert.equal(await revision(t, cwd, 'main'), await revision(t, work, 'main'), 'It has the branch.');
    },
  },
  {
    id: 'git/regressions/deletions-alone',
    requirements: ['GIT-111', 'GIT-127', 'GIT-113'],
    level: 'MUST',
    needs: ['git'],
    // https://github.com/gogs/gogs/issues/155, https://github.com/gitblit-org/gitblit/issues/1189
    explanation: 'A push that only deletes has no pack, is answered to its last packet, and leaves a repo that works.',
    async run(t) {
      const first = change('first');
      for (const version of protocolVersions) {
        const names = ['refs/heads/a', 'refs/heads/b', 'refs/tags/c', main];
        const repo = await repoWith(t, Object.fromEntries(names.map((name) => [name, first])), first.all);
        const git = speaking(version, repo);
        const cwd = await t.folder();
        await t.git(['init', '--quiet', cwd]);
        await t.git([...git, 'push', '--quiet', '--delete', repo.remote, 'a'], { cwd });
        await t.git([...git, 'push', '--quiet', repo.remote, ':refs/heads/b', ':refs/tags/c'], { cwd });
        same(Object.keys(await refsOf(repo)), [main], 'They are gone.');
        const body = pushBody([remove(main, first)], Buffer.alloc(0));
        const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
        same(reportOf(reply.body), taken(main), 'The default branch goes as well.');
        assert.equal(readPackets(reply.body).at(-1), 'flush', 'The reply ends with a flush.');
        assert.equal(await t.git([...git, 'ls-remote', repo.remote]), '', 'Nothing is listed any more.');
        await commitFile(t, cwd, 'a', version);
        await t.git([...git, 'push', '--quiet', repo.remote, 'HEAD:main'], { cwd });
        await expectIntact(repo);
      }
    },
  },
  {
    id: 'git/regressions/tags-of-anything',
    requirements: ['GIT-123', 'GIT-043', 'GIT-175'],
    level: 'MUST',
    needs: ['git'],
    // https://github.com/libgit2/libgit2/pull/5924, https://github.com/libgit2/libgit2/pull/1723
    explanation:
      'Tags of trees, of files and of tags, also without a tag object, are pushed alone and come back whole.',
    async run(t) {
      const work = await freshWork(t);
      await commitFile(t, work, 'folder', 'file');
      await commitFile(t, work, 'other', 'more');
      const tags = [
        ['tree', 'HEAD^{tree}'],
        ['blob', 'HEAD:other'],
        ['commit', 'HEAD'],
      ] as const;
      for (const [name, value] of tags) {
        await t.git(['tag', name, value], { cwd: work });
        await t.git(['tag', '-a', '-m', name, `${name}-tag`, value], { cwd: work });
        await t.git(['tag', '-a', '-m', name, `${name}-tag-tag`, `${name}-tag`], { cwd: work });
      }
      for (const version of protocolVersions) {
        const repo = await t.createRepo();
        const git = speaking(version, repo);
        // The outer tag alone must bring the inner one.
        for (const [name] of tags) {
          const outer = `refs/tags/${name}-tag-tag`;
          await t.git([...git, 'push', '--quiet', repo.remote, outer], { cwd: work });
          await expectIntact(repo);
        }
        await t.git([...git, 'push', '--quiet', '--mirror', repo.remote], { cwd: work });
        const cwd = await t.folder();
        await t.git([...git, 'clone', '--quiet', '--mirror', repo.remote, cwd]);
        same(await contentsOf(t, cwd), await contentsOf(t, work), `All of them come back in version ${version}.`);
        await t.git(['fsck', '--full', '--strict'], { cwd });
      }
    },
  },
  {
    id: 'git/regressions/tag-for-a-branch',
    requirements: ['GIT-123', 'GIT-112', 'GIT-152'],
    level: 'MUST',
    needs: ['git'],
    // https://github.com/flynn/flynn/issues/2746, https://github.com/larshp/abapGitServer/issues/76
    explanation:
      'A tag object pushed to a branch is refused in the report, which Git reads and shows, and nothing else is.',
    async run(t) {
      const work = await freshWork(t);
      const tip = await commitFile(t, work, 'a', '1');
      await t.git(['tag', '-a', '-m', 'one', 'v1'], { cwd: work });
      const repo = await t.createRepo();
      const push = [...repo.auth, 'push', repo.remote, 'v1:refs/heads/v1', 'main', 'v1', 'v1^{}:refs/heads/peeled'];
      const { status, stderr } = await t.tryGit(push, { cwd: work });
      assert.equal(status, 1, 'git push fails.');
      const shown = /\[remote rejected\] +v1 -> v1 \((.*)\)/.exec(stderr)?.[1];
      assert.ok(repo.foreign === true ? shown : shown === 'not a commit', `It shows why: ${shown}`);
      assert.doesNotMatch(stderr, /protocol error|hung up|sideband/, 'The reply is one that Git can read.');
      const refs = await refsOf(repo);
      same(
        [refs[main], refs['refs/heads/peeled'], refs['refs/heads/v1']],
        [tip, tip, undefined],
        'The others are made.',
      );
      assert.notEqual(refs['refs/tags/v1'], undefined, 'So is the tag.');
    },
  },
  {
    id: 'git/regressions/refusals-among-others',
    requirements: ['GIT-112', 'GIT-113', 'GIT-152'],
    level: 'MUST',
    needs: ['git'],
    // https://github.com/libgit2/libgit2/issues/4762
    explanation:
      'Where some of many refs are refused, each has its line, in the order sent, and Git shows all of them.',
    async run(t) {
      const work = await freshWork(t);
      await commitFile(t, work, 'a', '1');
      const repo = await t.createRepo();
      const [tip, file] = [await revision(t, work, 'main'), await revision(t, work, 'main:a')];
      // Every third one names a file, which is not a valid value of a branch.
      const refspecs = Array.from({ length: 300 }, (_, i) => `${i % 3 === 1 ? file : tip}:refs/heads/n${i}`);
      const push = [...repo.auth, 'push', '--porcelain', repo.remote, ...refspecs];
      const { status, stdout } = await t.tryGit(push, { cwd: work });
      assert.equal(status, 1, 'git push fails.');
      const shown = Buffer.from(stdout).toString().split('\n');
      const why = repo.foreign === true ? '.+' : 'not a commit';
      const rejected = shown.filter((line) => new RegExp(`^!.*\\[remote rejected\\] \\(${why}\\)$`).test(line));
      assert.equal(rejected.length, 100, 'Git shows each refusal.');
      assert.equal(shown.filter((line) => line.startsWith('*')).length, 200, 'Git shows each success.');
      assert.equal(Object.keys(await refsOf(repo)).length, 200, 'The others were made.');
    },
  },
);
