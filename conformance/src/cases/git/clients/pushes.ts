/** GIT-170 and GIT-174 of docs/specification/git.md: unusual pushes by stock git. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { noise } from '../../../tools/noise.ts';
import { same } from '../../../tools/same.ts';
import { listedRefs } from '../../../tools/wire-client.ts';
import { commitFile, contentsOf, freshWork, revision, speaking, traced } from '../../../steps/work-tree.ts';

export const gitClientsPushes: Suite = suite(
  {
    id: 'git/clients/atomic',
    requirements: ['GIT-170', 'GIT-151', 'GIT-152'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'git push --atomic makes all refs or none; without it each stands alone.',
    async run(t) {
      const repo = await t.createRepo();
      const work = await freshWork(t);
      const tip = await commitFile(t, work, 'a', '1');
      const blob = await revision(t, work, 'HEAD:a');
      const refs = [`${tip}:refs/heads/new`, `${blob}:refs/heads/no-commit`];
      const atomic = await traced(t, [...repo.auth, 'push', '--atomic', repo.remote, ...refs], work);
      assert.equal(atomic.status, 1, 'git push --atomic fails.');
      assert.ok(
        atomic.sent.some((packet) => /\brefs\/heads\/new\b.* atomic\b/.test(packet)),
        'It asks the service for atomic.',
      );
      const why = repo.foreign === true ? /remote rejected.*no-commit/ : /remote rejected.*not a commit/;
      assert.match(atomic.stderr, why, 'It shows why.');
      const other = repo.foreign === true ? /remote rejected.*new/ : /atomic push failure/;
      assert.match(atomic.stderr, other, 'It shows what became of the other ref.');
      assert.equal((await listedRefs(repo))['refs/heads/new'], undefined, 'The other ref was not made.');
      assert.equal(
        (await t.tryGit([...repo.auth, 'push', repo.remote, ...refs], { cwd: work })).status,
        1,
        'Without --atomic the push fails, too.',
      );
      assert.equal((await listedRefs(repo))['refs/heads/new'], tip, 'But the other ref was made.');
    },
  },
  {
    id: 'git/clients/push-options',
    requirements: ['GIT-170', 'GIT-117'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'git push --push-option is accepted, whatever the options say.',
    async run(t) {
      const repo = await t.createRepo();
      const work = await freshWork(t);
      const tip = await commitFile(t, work, 'a', '1');
      const options = ['--push-option=ci.skip', '-o', 'a=b', '-o', ''];
      const { status, sent } = await traced(t, [...repo.auth, 'push', ...options, repo.remote, 'main'], work);
      assert.equal(status, 0, 'git push succeeds.');
      assert.ok(sent.includes('ci.skip') && sent.includes('a=b'), 'The options are sent.');
      assert.equal((await listedRefs(repo))['refs/heads/main'], tip, 'The branch is there.');
    },
  },
  {
    id: 'git/clients/quiet-and-progress',
    requirements: ['GIT-116', 'GIT-170'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'git push --quiet asks the service to be quiet, and then nothing of it is shown.',
    async run(t) {
      const repo = await t.createRepo();
      const work = await freshWork(t);
      await commitFile(t, work, 'a', '1');
      const plain = await t.tryGit([...repo.auth, 'push', '--quiet', repo.remote, 'main'], { cwd: work });
      same([plain.status, plain.stderr], [0, ''], 'Nothing is shown.');
      const again = await traced(t, [...repo.auth, 'push', '--quiet', repo.remote, 'main:other'], work);
      const request = again.sent.find((packet) => packet.includes(' refs/heads/other')) ?? '';
      assert.match(request, / quiet\b/, 'It asks the service for quiet.');
    },
  },
  {
    id: 'git/clients/large-push',
    requirements: ['GIT-174', 'GIT-013', 'GIT-011', 'GIT-175'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'A push above http.postBuffer probes, then comes chunked, and a clone of it is whole.',
    async run(t) {
      const repo = await t.createRepo();
      const work = await freshWork(t);
      await commitFile(t, work, 'small', 'x');
      await commitFile(t, work, 'large', noise(1_500_000, t.seed));
      const { status, headers } = await traced(t, [...repo.auth, 'push', repo.remote, 'main'], work);
      assert.equal(status, 0, 'git push succeeds.');
      const posts = headers.filter((line) => /^post .*\/git-receive-pack /.test(line));
      assert.equal(posts.length, 2, 'It sends two requests: a probe and the push.');
      assert.ok(headers.includes('transfer-encoding: chunked'), 'The push is chunked.');
      const mirror = await t.folder();
      await t.git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, '.'], { cwd: mirror });
      same(await contentsOf(t, mirror), await contentsOf(t, work), 'Refs and objects are the same.');
      await t.git(['fsck', '--full', '--strict'], { cwd: mirror });
    },
  },
  {
    id: 'git/clients/large-push-after-401',
    requirements: ['GIT-174', 'GIT-024', 'GIT-172'],
    level: 'MUST',
    needs: ['control plane', 'git'],
    explanation: 'A push above a tiny http.postBuffer works, also with a credential that the service must ask for.',
    async run(t) {
      const repo = await t.createRepo();
      const work = await freshWork(t);
      const tip = await commitFile(t, work, 'noise', noise(200_000, t.seed));
      const address = repo.remote.replace('://', `://x:${repo.token.split('?')[0]}@`);
      await t.git(['-c', 'http.postBuffer=65536', 'push', '--quiet', address, 'main'], { cwd: work });
      assert.equal((await listedRefs(repo))['refs/heads/main'], tip, 'The branch is there.');
    },
  },
  {
    id: 'git/clients/thin-pack',
    requirements: ['GIT-118', 'GIT-170', 'GIT-067'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'Stock git pushes a small change of a large file as a delta of what the service has.',
    async run(t) {
      const repo = await t.createRepo();
      const work = await freshWork(t);
      const large = noise(100_000, t.seed);
      await commitFile(t, work, 'large', large);
      await t.git([...repo.auth, 'push', '--quiet', repo.remote, 'main'], { cwd: work });
      const tip = await commitFile(t, work, 'large', Buffer.concat([large, Buffer.from('and more')]));
      const git = speaking('2', repo);
      const pushed = await t.tryGit([...git, 'push', '--progress', repo.remote, 'main'], { cwd: work });
      assert.equal(pushed.status, 0, 'git push succeeds.');
      assert.match(pushed.stderr, /Total 3 \(delta 1\)/, 'The file is sent as a delta.');
      const copy = await t.folder();
      await t.git([...git, 'clone', '--quiet', '--bare', repo.remote, '.'], { cwd: copy });
      assert.equal(await revision(t, copy, 'main'), tip, 'A clone has the change.');
      await t.git(['fsck', '--full', '--strict'], { cwd: copy });
    },
  },
);
