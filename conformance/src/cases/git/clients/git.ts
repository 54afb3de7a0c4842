/** GIT-170, GIT-171 and GIT-175 of docs/specification/git.md: stock git in its usual forms, in every version. */

import assert from 'node:assert/strict';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { advertised } from '../../../tools/advertised.ts';
import { same } from '../../../tools/same.ts';
import { listedRefs, withoutVersions } from '../../../tools/wire-client.ts';
import {
  commitFile,
  contentsOf,
  freshWork,
  protocolVersions,
  revision,
  speaking,
  traced,
  type ProtocolVersion,
} from '../../../steps/work-tree.ts';

interface Form {
  readonly id: string;
  readonly requirements: readonly string[];
  readonly explanation: string;
  readonly run: (t: Context, version: ProtocolVersion) => Promise<void>;
}

/** Expects that a reply begins as it must in this version, after the name of the service. */
function expectVersion(received: readonly string[], version: ProtocolVersion, service: 'upload' | 'receive'): void {
  const told = received.find((packet) => /^version \d$/.test(packet));
  const expected = version === '0' || (version === '2' && service === 'receive') ? undefined : `version ${version}`;
  assert.equal(told, expected, `The service speaks what protocol.version ${version} asks ${service}-pack for.`);
}

const forms: readonly Form[] = [
  {
    id: 'first-push',
    requirements: ['GIT-170', 'GIT-171', 'GIT-175', 'GIT-160'],
    explanation: 'The documented form of a push works on an empty repo, and clone, pull and fsck follow',
    async run(t, version) {
      const repo = await t.createRepo();
      if (version !== '0' && repo.isOld === true) t.unsupported(withoutVersions);
      const git = speaking(version, repo);
      const work = await freshWork(t);
      const one = await commitFile(t, work, 'a', '1');
      const pushed = await traced(t, [...git, 'push', '--quiet', repo.remote, 'HEAD:main'], work);
      assert.equal(pushed.status, 0, 'git push succeeds.');
      expectVersion(pushed.received, version, 'receive');
      const request = pushed.sent.find((packet) => packet.includes(' refs/heads/main')) ?? '';
      assert.match(request, /\breport-status(-v2)? .*\bside-band-64k\b/, 'It asks for a report and for side-band-64k.');
      same(
        await listedRefs(repo),
        { HEAD: `${one} symref-target:refs/heads/main`, 'refs/heads/main': one },
        'The branch is there.',
      );

      const copy = await t.folder();
      const cloned = await traced(t, [...git, 'clone', '--quiet', repo.remote, '.'], copy);
      assert.equal(cloned.status, 0, 'git clone succeeds.');
      expectVersion(cloned.received, version, 'upload');
      if (version !== '2') {
        const want = cloned.sent.find((packet) => packet.startsWith(`want ${one} `)) ?? '';
        for (const word of ['multi_ack_detailed', 'no-done', 'side-band-64k'])
          assert.ok(want.split(' ').includes(word), `It asks for ${word}: ${want}`);
      }
      assert.equal(await revision(t, copy, 'HEAD'), one, 'The clone is at the commit.');
      const two = await commitFile(t, work, 'b', '2');
      await t.git([...git, 'push', '--quiet', repo.remote, 'main'], { cwd: work });
      await t.git([...git, 'pull', '--quiet', '--ff-only'], { cwd: copy });
      assert.equal(await revision(t, copy, 'HEAD'), two, 'A pull brings the next commit.');
      await t.git(['fsck', '--full', '--strict'], { cwd: copy });
    },
  },
  {
    id: 'tags-and-notes',
    requirements: ['GIT-170', 'GIT-068', 'GIT-122'],
    explanation: 'Tags, notes and single branches are pushed and fetched, and tags follow what they name',
    async run(t, version) {
      const repo = await t.createRepo();
      const git = speaking(version, repo);
      const work = await freshWork(t);
      const one = await commitFile(t, work, 'a', '1');
      await t.git(['tag', '-a', '-m', 'one', 'v1'], { cwd: work });
      await t.git(['notes', 'add', '-m', 'noted'], { cwd: work });
      const specs = ['main', 'main:side', 'refs/notes/*:refs/notes/*'];
      await t.git([...git, 'push', '--quiet', '--tags', repo.remote, ...specs], { cwd: work });

      const copy = await t.folder();
      const single = ['--single-branch', '--branch', 'side'];
      await t.git([...git, 'clone', '--quiet', ...single, repo.remote, '.'], { cwd: copy });
      const format = ['for-each-ref', '--format=%(refname)', 'refs/remotes', 'refs/tags'];
      assert.equal(
        await t.git(format, { cwd: copy }),
        'refs/remotes/origin/side\nrefs/tags/v1\n',
        'A clone of a single branch has it and its tag.',
      );
      await t.git([...git, 'fetch', '--quiet', 'origin', 'refs/notes/*:refs/notes/*'], { cwd: copy });
      assert.equal(await t.git(['notes', 'show', one], { cwd: copy }), 'noted\n', 'The note came.');

      await commitFile(t, work, 'b', '2');
      await t.git(['tag', '-a', '-m', 'two', 'v2'], { cwd: work });
      await t.git([...git, 'push', '--quiet', '--follow-tags', repo.remote, 'main:side'], { cwd: work });
      const fetched = await traced(t, [...git, 'fetch', 'origin'], copy);
      assert.equal(fetched.status, 0, 'git fetch succeeds.');
      if ((await advertised(repo, 'git-upload-pack', 0)).includes('include-tag'))
        assert.ok(fetched.sent.join('\n').includes('include-tag'), 'It asks for include-tag, which is advertised.');
      assert.equal(await t.git(['tag'], { cwd: copy }), 'v1\nv2\n', 'The new tag followed its commit.');
    },
  },
  {
    id: 'delete-and-prune',
    requirements: ['GIT-170', 'GIT-127'],
    explanation: 'git push --delete deletes, and git fetch --prune follows',
    async run(t, version) {
      const repo = await t.createRepo();
      const git = speaking(version, repo);
      const work = await freshWork(t);
      await commitFile(t, work, 'a', '1');
      const names = ['refs/heads/main', 'refs/heads/side', 'refs/tags/v1'];
      const specs = names.map((name) => `HEAD:${name}`);
      await t.git([...git, 'push', '--quiet', repo.remote, ...specs], { cwd: work });
      const copy = await t.folder();
      await t.git([...git, 'clone', '--quiet', repo.remote, '.'], { cwd: copy });
      await t.git([...git, 'push', '--quiet', '--delete', repo.remote, 'side', 'v1'], { cwd: work });
      same(Object.keys(await listedRefs(repo)), ['HEAD', 'refs/heads/main'], 'Branch and tag are gone.');
      const all = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];
      await t.git([...git, 'fetch', '--quiet', '--prune', 'origin', ...all], { cwd: copy });
      const { refs } = await contentsOf(t, copy);
      same(
        refs.map((line) => line.split(' ')[0]),
        ['refs/heads/main', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main'],
        'They are gone from the clone, too.',
      );
    },
  },
  {
    id: 'forced',
    requirements: ['GIT-170', 'GIT-126', 'GIT-125'],
    explanation: 'git push refuses to go back, --force does it, and --force-with-lease only from where it says',
    async run(t, version) {
      const repo = await t.createRepo();
      const work = await freshWork(t);
      const one = await commitFile(t, work, 'a', '1');
      const two = await commitFile(t, work, 'b', '2');
      const run = (...args: string[]): ReturnType<Context['tryGit']> =>
        t.tryGit([...speaking(version, repo), 'push', repo.remote, ...args], { cwd: work });
      const expectMain = async (oid: string): Promise<void> =>
        assert.equal((await listedRefs(repo))['refs/heads/main'], oid, 'The branch is where it should be.');
      assert.equal((await run('main')).status, 0, 'The first push succeeds.');
      assert.match((await run(`${one}:refs/heads/main`)).stderr, /non-fast-forward/, 'Without force it is refused.');
      await expectMain(two);
      assert.equal((await run('--force', `${one}:refs/heads/main`)).status, 0, 'With force it goes back.');
      await expectMain(one);
      const wrong = await run(`--force-with-lease=main:${two}`, `${two}:refs/heads/main`);
      assert.match(wrong.stderr, /stale info/, 'A lease on another value is refused.');
      await expectMain(one);
      const right = await run(`--force-with-lease=main:${one}`, `${two}:refs/heads/main`);
      assert.equal(right.status, 0, 'A lease on the right value is taken.');
      await expectMain(two);
    },
  },
  {
    id: 'mirror',
    requirements: ['GIT-170', 'GIT-175', 'GIT-122'],
    explanation: 'A repository with merges, tags and other refs is mirrored there and back',
    async run(t, version) {
      const repo = await t.createRepo();
      const git = speaking(version, repo);
      const work = await freshWork(t);
      const one = await commitFile(t, work, 'a', '1');
      await t.git(['checkout', '--quiet', '-b', 'side'], { cwd: work });
      await commitFile(t, work, 'b', '2');
      await t.git(['checkout', '--quiet', 'main'], { cwd: work });
      await commitFile(t, work, 'c', '3');
      await t.git(['merge', '--quiet', '--no-edit', 'side'], { cwd: work });
      await t.git(['tag', '-a', '-m', 'one', 'v1', one], { cwd: work });
      await t.git(['tag', '-a', '-m', 'a tag of a tag', 'v1-again', 'v1'], { cwd: work });
      await t.git(['update-ref', 'refs/other/x/y', one], { cwd: work });
      await t.git([...git, 'push', '--quiet', '--mirror', repo.remote], { cwd: work });
      const mirror = await t.folder();
      await t.git([...git, 'clone', '--quiet', '--mirror', repo.remote, '.'], { cwd: mirror });
      same(await contentsOf(t, mirror), await contentsOf(t, work), 'Refs and objects are the same.');
      await t.git(['fsck', '--full', '--strict'], { cwd: mirror });
    },
  },
  {
    id: 'many-rounds',
    requirements: ['GIT-170', 'GIT-062', 'GIT-064', 'GIT-011'],
    explanation: 'A fetch into a repository with much history of its own takes several rounds of haves, and ends well',
    async run(t, version) {
      const repo = await t.createRepo();
      const git = speaking(version, repo);
      const work = await freshWork(t);
      const base = await commitFile(t, work, 'a', '1');
      await t.git([...git, 'push', '--quiet', repo.remote, 'main'], { cwd: work });
      const other = await freshWork(t);
      await t.git([...git, 'pull', '--quiet', repo.remote, 'main'], { cwd: other });
      const two = await commitFile(t, other, 'b', '2');
      await t.git([...git, 'push', '--quiet', repo.remote, 'HEAD:main'], { cwd: other });
      // More unshared commits than one round of haves can hold.
      const script = Array.from({ length: 100 }, (_, i) => {
        const from = i === 0 ? `from ${base}\n` : '';
        return `commit refs/heads/main\ncommitter A <a@x> ${1_800_000_000 + i} +0000\ndata 0\n${from}M 644 inline own\ndata ${String(i).length}\n${i}\n`;
      });
      await t.git(['fast-import', '--quiet', '--force'], { cwd: work, input: script.join('') });
      const { status, sent, headers } = await traced(t, [...git, 'fetch', repo.remote, 'main'], work);
      assert.equal(status, 0, 'git fetch succeeds.');
      const haves = sent.filter((packet) => packet.startsWith('have ')).length;
      assert.ok(haves > 16, `It tells more than goes into its first request: ${haves}`);
      const posts = headers.filter((line) => /^post .*\/git-upload-pack /.test(line)).length;
      // In version 2 the first request lists the refs.
      assert.ok(posts >= (version === '2' ? 3 : 2), `It takes several requests: ${posts}`);
      assert.ok(headers.includes('content-encoding: gzip'), 'A longer request is gzipped.');
      assert.equal(await revision(t, work, 'FETCH_HEAD'), two, 'What was fetched is the commit.');
      await t.git(['fsck', '--full', '--strict', '--connectivity-only'], { cwd: work });
    },
  },
];

export const gitClientsGit: Suite = suite(
  ...forms.flatMap(({ id, requirements, explanation, run }) =>
    protocolVersions.map((version): Case => ({
      id: `git/clients/${id}-version-${version}`,
      requirements,
      level: 'MUST',
      needs: ['git'],
      explanation: `${explanation}, with protocol.version ${version}.`,
      run: (t) => run(t, version),
    })),
  ),
);
