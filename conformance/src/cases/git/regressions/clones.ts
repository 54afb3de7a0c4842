/** Faults of clones from other servers. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { fetchFeatures } from '../../../tools/advertised.ts';
import { expectIntact, expectNotOurs, fetched } from '../../../tools/hosted-objects.ts';
import { change, commit, pack, tree } from '../../../tools/made-objects.ts';
import { main } from '../../../tools/push-reports.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { discover, flush, post, set } from '../../../tools/wire-client.ts';
import {
  commitFile,
  contentsOf,
  freshWork,
  protocolVersions,
  revision,
  speaking,
  traced,
} from '../../../steps/work-tree.ts';
import { only, soonCollected } from '../../../steps/settings.ts';

/** Clones with stock git and expects success. Returns the folder. */
async function cloned(t: Context, arguments_: readonly string[]): Promise<string> {
  const cwd = await t.folder();
  await t.git([...arguments_, cwd]);
  return cwd;
}

export const gitRegressionsClones: Suite = suite(
  {
    id: 'git/regressions/submodule-links',
    requirements: ['GIT-149', 'GIT-170', 'GIT-175'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'A history with links to submodules is pushed and cloned; their commits are not looked for.',
    async run(t) {
      const work = await freshWork(t);
      await commitFile(t, work, 'file', 'one');
      // Submodule links that appear, move, disappear, and take the name of a former folder.
      const links = [`${'1'.repeat(40)},lib`, `${'2'.repeat(40)},lib`, `${'3'.repeat(40)},folder/deep`];
      for (const [i, link] of links.entries()) {
        await t.git(['update-index', '--add', '--cacheinfo', `160000,${link}`], { cwd: work });
        await t.git(['commit', '--quiet', '-m', `link ${i}`], { cwd: work });
      }
      await t.git(['update-index', '--force-remove', 'folder/deep', 'lib'], { cwd: work });
      await t.git(['commit', '--quiet', '-m', 'no links'], { cwd: work });
      await t.git(['checkout', '--quiet', '-b', 'side', 'HEAD~2'], { cwd: work });
      await commitFile(t, work, 'other', 'two');
      await t.git(['merge', '--quiet', '--no-edit', '-s', 'ours', 'main'], { cwd: work });
      const repo = await t.createRepo();
      // In two pushes, so that the deltas of the second have trees with links as bases.
      await t.git([...repo.auth, 'push', '--quiet', repo.remote, 'main~2:refs/heads/main'], { cwd: work });
      await t.git([...repo.auth, 'push', '--quiet', repo.remote, 'main', 'side'], { cwd: work });
      for (const version of protocolVersions) {
        const cwd = await cloned(t, [...speaking(version, repo), 'clone', '--quiet', '--mirror', repo.remote]);
        same(await contentsOf(t, cwd), await contentsOf(t, work), `The clone is whole in version ${version}.`);
        await t.git(['fsck', '--full', '--strict'], { cwd });
      }
    },
  },
  {
    id: 'git/regressions/clone-of-version-0',
    requirements: ['GIT-043', 'GIT-063', 'GIT-170'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'A client that speaks version 0 alone clones, fetches and gets tags, without a word of version 2.',
    async run(t) {
      const work = await freshWork(t);
      await commitFile(t, work, 'a', '1');
      await t.git(['tag', '-a', 'v1', '-m', 'one'], { cwd: work });
      const repo = await t.createRepo();
      const push = [...speaking('0', repo), 'push', '--quiet', '--follow-tags', repo.remote, 'main'];
      await t.git(push, { cwd: work });
      const cwd = await t.folder();
      const clone = await traced(t, [...speaking('0', repo), 'clone', '--quiet', repo.remote, cwd], cwd);
      assert.equal(clone.status, 0, 'git clone succeeds.');
      assert.ok(!clone.headers.some((line) => line.startsWith('git-protocol')), 'It asks for no other version.');
      assert.ok(!clone.received.includes('version 2'), 'It is answered in version 0.');
      await commitFile(t, work, 'b', '2');
      await t.git(push, { cwd: work });
      await t.git([...speaking('0', repo), 'pull', '--quiet'], { cwd });
      assert.equal(await revision(t, cwd, 'HEAD'), await revision(t, work, 'main'), 'A pull brings what came later.');
      assert.equal(await revision(t, cwd, 'v1'), await revision(t, work, 'v1'), 'The tag came along.');
      await t.git(['fsck', '--full', '--strict'], { cwd });
    },
  },
  {
    id: 'git/regressions/filter-ignored',
    requirements: ['GIT-048', 'GIT-080', 'GIT-086'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'A filter that is advertised is used: what it leaves out does not come, and is there when asked for.',
    async run(t) {
      const work = await freshWork(t);
      await commitFile(t, work, 'a', 'old');
      await commitFile(t, work, 'a', 'new');
      const repo = await t.createRepo();
      await t.git([...repo.auth, 'push', '--quiet', repo.remote, 'main'], { cwd: work });
      const isAdvertised = (await fetchFeatures(repo)).includes('filter');
      if (!isAdvertised) t.unsupported('filter is not advertised');
      for (const version of protocolVersions) {
        const clone = [...speaking(version, repo), 'clone', '--bare', '--filter=blob:none', repo.remote];
        const cwd = await t.folder();
        const { stderr } = await t.tryGit([...clone, cwd]);
        assert.doesNotMatch(stderr, /filtering not recognized/, `Git does not warn in version ${version}.`);
        const listed = await t.git(['rev-list', '--objects', '--all', '--missing=print'], { cwd });
        const left = listed.split('\n').filter((line) => line.startsWith('?'));
        assert.equal(left.length, 2, `Both blobs are left out in version ${version}.`);
        const show = [...speaking(version, repo), 'show', 'main~1:a'];
        assert.equal(await t.git(show, { cwd }), 'old', `A blob is fetched when it is needed, in version ${version}.`);
      }
    },
  },
  {
    id: 'git/regressions/empty-clones',
    requirements: ['GIT-130', 'GIT-025', 'GIT-131'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'No clone that should bring something succeeds with nothing, also without a default branch.',
    async run(t) {
      const first = change('first');
      const second = change('second');
      const objects = [...first.all, ...second.all];
      for (const [what, refs] of [
        ['one branch, not the default one', { 'refs/heads/other': first }],
        ['two branches, none of them the default one', { 'refs/heads/a': first, 'refs/heads/b': second }],
        ['a tag and no branch', { 'refs/tags/t': first }],
      ] as const) {
        const repo = await repoWith(t, refs, objects);
        for (const version of protocolVersions) {
          const cwd = await t.folder();
          const { status, stderr } = await t.tryGit([...speaking(version, repo), 'clone', repo.remote, cwd]);
          assert.equal(status, 0, `With ${what} git clone succeeds in version ${version}.`);
          assert.doesNotMatch(stderr, /empty repository/, `With ${what} it is not taken for empty.`);
          for (const { oid } of Object.values(refs)) await t.git(['cat-file', '-e', oid], { cwd });
        }
      }
      const repo = await repoWith(t, { [main]: first }, first.all);
      // Another server may serve everyone.
      if (repo.foreign === true) return;
      const wrong = ['-c', 'http.extraHeader=Authorization: Bearer wrong'];
      for (const version of protocolVersions) {
        const refused = ['-c', `protocol.version=${version}`, ...wrong, 'clone', repo.remote, await t.folder()];
        assert.notEqual(
          (await t.tryGit(refused)).status,
          0,
          `With a wrong token git clone fails in version ${version}.`,
        );
      }
    },
  },
  {
    id: 'git/regressions/forced-away',
    requirements: ['GIT-060', 'GIT-078', 'GIT-126'],
    level: 'MUST',
    settings: only(soonCollected, 'stale_want_grace'),
    needs: ['settings'],
    explanation:
      'What a forced push or a deletion left behind is served to nobody, neither by id nor in a whole clone.',
    async run(t) {
      const base = change('base');
      const secret = change('the secret', base);
      const clean = change('clean', base);
      const repo = await repoWith(t, { [main]: secret }, [...base.all, ...secret.all]);
      await accepted(repo, [set(main, clean, secret)], pack(...clean.all));
      const left = [secret, secret.root, secret.file];
      for (const object of left) await expectNotOurs(repo, object, 'What was forced away cannot be fetched by its id.');
      const { objects } = await fetched(repo, [clean]);
      for (const { oid } of left) assert.ok(!objects.has(oid), 'A clone does not bring it.');
      await expectIntact(repo);
    },
  },
  {
    id: 'git/regressions/gzipped-wants',
    requirements: ['GIT-011', 'GIT-170'],
    level: 'MUST',
    needs: ['git'],
    // https://github.com/block/buzz/pull/2670, https://github.com/vtmocanu/uzi/pull/1006
    explanation: 'A clone of many refs works, whose list of wants Git sends gzipped.',
    async run(t) {
      const work = await freshWork(t);
      const commits = Array.from(
        { length: 400 },
        (_, i) => `commit refs/heads/b${i}\ncommitter A <a@x> ${i} +0000\ndata 0\nM 644 inline f\ndata 3\n${100 + i}\n`,
      );
      await t.git(['fast-import', '--quiet'], { cwd: work, input: commits.join('') });
      const repo = await t.createRepo();
      await t.git([...repo.auth, 'push', '--quiet', '--all', repo.remote], { cwd: work });
      for (const version of protocolVersions) {
        const cwd = await t.folder();
        const clone = [...speaking(version, repo), 'clone', '--quiet', '--mirror', repo.remote, cwd];
        const { status, headers } = await traced(t, clone, cwd);
        assert.equal(status, 0, `git clone succeeds in version ${version}.`);
        assert.ok(headers.includes('content-encoding: gzip'), `Its request was gzipped in version ${version}.`);
        same(await contentsOf(t, cwd), await contentsOf(t, work), `The clone is whole in version ${version}.`);
      }
    },
  },
  {
    id: 'git/regressions/media-type-parameters',
    requirements: ['GIT-009'],
    level: 'MUST',
    // https://github.com/kubitron/redmine_git_hosting/issues/63
    explanation: 'No reply names a charset in its media type, which JGit refuses.',
    async run(t) {
      const first = change('first');
      const repo = await repoWith(t, { [main]: first }, first.all);
      for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
        const { headers } = await discover(repo, { service });
        same(headers.get('content-type'), `application/x-${service}-advertisement`, 'Discovery has no parameters.');
        const reply = await post(repo, flush, { service });
        same(reply.headers.get('content-type'), `application/x-${service}-result`, 'A result has no parameters.');
      }
    },
  },
  {
    id: 'git/regressions/empty-then-pushed',
    requirements: ['GIT-131', 'GIT-160'],
    level: 'MUST',
    needs: ['git'],
    // https://github.com/src-d/go-git/issues/556
    explanation: 'A clone of an empty repo, and the first push from it, work in every version.',
    async run(t) {
      for (const version of protocolVersions) {
        const repo = await t.createRepo();
        const cwd = await cloned(t, [...speaking(version, repo), 'clone', '--quiet', repo.remote]);
        await commitFile(t, cwd, 'a', version);
        await t.git([...speaking(version, repo), 'push', '--quiet', 'origin', 'HEAD:main'], { cwd });
        await t.git([...speaking(version, repo), 'pull', '--quiet', 'origin', 'main'], { cwd });
        const again = await cloned(t, [...speaking(version, repo), 'clone', '--quiet', repo.remote]);
        assert.equal(await revision(t, again, 'HEAD'), await revision(t, cwd, 'HEAD'), 'A clone has what was pushed.');
      }
    },
  },
  {
    id: 'git/regressions/empty-trees',
    requirements: ['GIT-149', 'GIT-175'],
    level: 'MUST',
    explanation: 'Commits without a file, whose tree Git knows without having it, are kept with their tree.',
    async run(t) {
      const empty = tree({});
      const root = commit('root', empty);
      const next = commit('next', empty, [root]);
      const inner = tree({ empty });
      const deep = commit('deep', inner, [next]);
      const repo = await repoWith(t, { [main]: next }, [empty, root, next]);
      // A client that can compute the tree need not send it again.
      await accepted(repo, [set(main, deep, next)], pack(deep, inner));
      await expectIntact(repo);
      const { objects } = await fetched(repo, [deep]);
      assert.ok(objects.has(empty.oid), 'The empty tree comes with them.');
    },
  },
);
