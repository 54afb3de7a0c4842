/**
 * Requests that stock git makes by itself if version 2 offers a feature: GIT-097 to GIT-099 of
 * docs/specification/git.md.
 */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { same } from '../../../tools/same.ts';
import { commitFile, revision, speaking, traced } from '../../../steps/work-tree.ts';
import { pushHistory } from './pushed-original.ts';
import { needFeature } from '../shallow/history.ts';

export const gitClientsVersion2: Suite = suite(
  {
    id: 'git/clients/want-ref',
    requirements: ['GIT-170', 'GIT-098', 'GIT-094'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'git fetch of a branch asks for it by its name, also to a depth, and gets what it is at.',
    async run(t) {
      const { repo, original } = await pushHistory(t);
      await needFeature(t, repo, 'ref-in-want');
      const tip = await revision(t, original, 'main');
      for (const options of [[], ['--depth=2']]) {
        const cwd = await t.folder();
        await t.git(['init', '--quiet', cwd]);
        const args = ['fetch', ...options, repo.remote, 'main', 'refs/tags/old'];
        const { status, sent, received, stderr } = await traced(t, [...speaking('2', repo), ...args], cwd);
        assert.equal(status, 0, `git ${args.join(' ')} succeeds: ${stderr}`);
        for (const ref of ['refs/heads/main', 'refs/tags/old'])
          assert.ok(sent.includes(`want-ref ${ref}`), `It wants ${ref} by its name.`);
        const told = received.slice(received.indexOf('wanted-refs'));
        assert.ok(told.includes(`${tip} refs/heads/main`), 'It is told what the branch is at.');
        assert.equal(await revision(t, cwd, 'FETCH_HEAD'), tip, 'That is what it has.');
        await t.git(['fsck', '--full', '--strict'], { cwd });
      }
    },
  },
  {
    id: 'git/clients/sideband-all',
    requirements: ['GIT-170', 'GIT-099'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'git clone and git fetch ask for sideband-all where it is offered, and get each section in a band.',
    async run(t) {
      const { repo } = await pushHistory(t);
      await needFeature(t, repo, 'sideband-all');
      const git = speaking('2', repo);
      const cwd = await t.folder();
      const own = { GIT_TEST_SIDEBAND_ALL: '1' };
      const clone = await traced(t, [...git, 'clone', '--depth=1', repo.remote, '.'], cwd, own);
      assert.equal(clone.status, 0, `git clone succeeds: ${clone.stderr}`);
      const fetch = await traced(t, [...git, 'fetch', '--unshallow', 'origin'], cwd, own);
      assert.equal(fetch.status, 0, `git fetch succeeds: ${fetch.stderr}`);
      for (const { sent, banded } of [clone, fetch]) {
        assert.ok(sent.includes('sideband-all'), 'It asks for it.');
        assert.ok(banded >= 2, `The boundary and the pack come in a band: ${banded}`);
      }
      await t.git(['fsck', '--full', '--strict'], { cwd });
    },
  },
  {
    id: 'git/clients/negotiate-only',
    requirements: ['GIT-170', 'GIT-097', 'GIT-096'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'git fetch --negotiate-only learns what is common, and push.negotiate sends no more than that lacks.',
    async run(t) {
      const { repo, original } = await pushHistory(t);
      await needFeature(t, repo, 'wait-for-done');
      const git = speaking('2', repo);
      const cwd = await t.folder();
      await t.git(['clone', '--quiet', original, '.'], { cwd });
      const shared = await revision(t, cwd, 'main');
      await commitFile(t, cwd, 'own', 'own');
      const only = ['fetch', '--negotiate-only', '--negotiation-tip=main', repo.remote];
      const asked = await traced(t, [...git, ...only], cwd);
      assert.equal(asked.status, 0, `git fetch --negotiate-only succeeds: ${asked.stderr}`);
      assert.ok(asked.sent.includes('wait-for-done'), 'It asks for acknowledgements alone.');
      assert.ok(!asked.received.includes('packfile'), 'No pack comes.');
      const common = (await t.git([...git, ...only], { cwd })).trim().split('\n');
      assert.ok(common.includes(shared), 'It is told the newest common commit.');
      assert.ok(!common.includes(await revision(t, cwd, 'main')), 'Its own is not common.');

      // Refs of the service tell git which commits exist, so this push has history that no ref names.
      const pushed = await traced(t, [...git, '-c', 'push.negotiate=true', 'push', repo.remote, 'main:own'], cwd);
      assert.equal(pushed.status, 0, `git push succeeds: ${pushed.stderr}`);
      assert.ok(pushed.sent.includes('wait-for-done'), 'A push negotiates first.');
      const listed = await t.git([...git, 'ls-remote', repo.remote, 'refs/heads/own']);
      same(listed.split('\t')[0], await revision(t, cwd, 'main'), 'Then it is there.');
    },
  },
);
