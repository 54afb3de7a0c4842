/** Clones of a repository that exists. Nothing is changed. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as isomorphic from 'isomorphic-git';
import { suite, type Suite } from '../../../core/case.ts';
import { advertised } from '../../../tools/advertised.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { reached } from '../../../tools/reached-objects.ts';
import { same } from '../../../tools/same.ts';
import { hasFatalError, post, uploadBody } from '../../../tools/wire-client.ts';
import { isomorphicHttp } from '../../../steps/isomorphic-http.ts';
import { protocolVersions, speaking } from '../../../steps/work-tree.ts';
import { oldListing, tipOf, wholePack } from './repository.ts';

const reads = { level: 'MUST', readOnly: true } as const;

/** Old repositories have commits of a form that a whole check reports, and that their server must keep. */
const nothingMissing = ['fsck', '--full', '--connectivity-only'];

export const gitExistingClones: Suite = suite(
  {
    ...reads,
    id: 'git/existing/clone',
    requirements: ['GIT-170', 'GIT-175'],
    needs: ['repo to read', 'git'],
    explanation: 'Stock git clones all refs in every version, with all objects that they reach.',
    async run(t) {
      const repo = t.existing;
      await wholePack(t, repo);
      const expected = (await oldListing(repo, 0)).refs.filter(({ name }) => name !== 'HEAD');
      for (const version of protocolVersions) {
        const cwd = await t.folder();
        await t.git([...speaking(version, repo), 'clone', '--quiet', '--mirror', repo.remote, '.'], { cwd });
        const refs = await t.git(['for-each-ref', '--format=%(refname) %(objectname)'], { cwd });
        const names = expected.map(({ name, oid }) => `${Buffer.from(name, 'latin1').toString()} ${oid}`);
        same(refs.trim().split('\n').sort(), names.sort(), `All refs come with protocol.version ${version}.`);
        await t.git(nothingMissing, { cwd });
      }
    },
  },
  {
    ...reads,
    id: 'git/existing/whole-pack',
    requirements: ['GIT-065', 'GIT-069'],
    needs: ['repo to read'],
    explanation: 'A fetch of everything brings all objects that the refs reach, each intact and once.',
    async run(t) {
      const repo = t.existing;
      const { objects } = readPack(await wholePack(t, repo));
      const tips = (await oldListing(repo, 0)).refs.map(({ oid }) => oid);
      const missing = [...reached(tips, objects)].filter((oid) => !objects.has(oid));
      same(missing, [], 'Nothing is missing.');
    },
  },
  {
    ...reads,
    id: 'git/existing/same-again',
    requirements: ['GIT-015'],
    needs: ['repo to read'],
    explanation: 'Two fetches of the same refs bring the same objects.',
    async run(t) {
      const repo = t.existing;
      const ids = async (): Promise<string[]> => [...readPack(await wholePack(t, repo)).objects.keys()].sort();
      same(await ids(), await ids(), 'The second fetch brings what the first one brought.');
    },
  },
  {
    ...reads,
    id: 'git/existing/shallow-clone',
    requirements: ['GIT-072', 'GIT-170'],
    needs: ['repo to read', 'git'],
    explanation: 'Stock git clones the newest commit alone, in every version.',
    async run(t) {
      const repo = t.existing;
      const tip = await tipOf(t, repo);
      await wholePack(t, repo);
      const capabilities = await advertised(repo, 'git-upload-pack', 0);
      if (!capabilities.includes('shallow')) t.unsupported(`shallow is not advertised: ${capabilities.join(', ')}`);
      for (const version of protocolVersions) {
        const cwd = await t.folder();
        await t.git(['init', '--quiet', '--bare', '.'], { cwd });
        const head = (await oldListing(repo, 0)).refs.find(({ oid }) => oid === tip)?.name ?? 'HEAD';
        await t.git([...speaking(version, repo), 'fetch', '--quiet', '--depth=1', repo.remote, head], { cwd });
        const commits = (await t.git(['rev-list', 'FETCH_HEAD'], { cwd })).trim().split('\n');
        same(commits, [tip], `The commit comes alone with protocol.version ${version}.`);
        await t.git(nothingMissing, { cwd });
      }
    },
  },
  {
    ...reads,
    id: 'git/existing/partial-clone',
    requirements: ['GIT-080', 'GIT-170'],
    needs: ['repo to read', 'git'],
    explanation: 'A clone with the filter blob:none has no file, and gets one when it is needed.',
    async run(t) {
      const repo = t.existing;
      await wholePack(t, repo);
      const capabilities = await advertised(repo, 'git-upload-pack', 0);
      if (!capabilities.includes('filter')) t.unsupported(`filter is not advertised: ${capabilities.join(', ')}`);
      const cwd = await t.folder();
      const git = speaking('2', repo);
      await t.git([...git, 'clone', '--quiet', '--bare', '--filter=blob:none', repo.remote, '.'], { cwd });
      const kinds = await t.git(['cat-file', '--batch-all-objects', '--batch-check=%(objecttype)'], { cwd });
      assert.ok(!kinds.split('\n').includes('blob'), 'No file came.');
      const listed = await t.git(['rev-list', '--objects', '--all', '--missing=print'], { cwd });
      const missing = /^\?([0-9a-f]{40})$/m.exec(listed)?.[1];
      if (missing === undefined) return t.note('there is no file at all');
      await t.git([...git, 'cat-file', 'blob', missing], { cwd });
    },
  },
  {
    ...reads,
    id: 'git/existing/unknown-want',
    requirements: ['GIT-060'],
    needs: ['repo to read'],
    explanation: 'A want of an object that does not exist is refused, and no pack comes.',
    async run(t) {
      const repo = t.existing;
      const { status, body } = await post(repo, uploadBody(['1'.repeat(40)], [], ''), { version: 0 });
      assert.ok(status < 500, `It is answered ${status}.`);
      assert.ok(!body.includes('PACK'), 'No pack comes.');
      if (status === 200) assert.ok(hasFatalError(body), 'The reply says that it is an error.');
    },
  },
  {
    ...reads,
    id: 'git/existing/isomorphic-git',
    requirements: ['GIT-173'],
    needs: ['repo to read'],
    explanation: 'isomorphic-git lists the refs, and clones the newest commit.',
    async run(t) {
      const repo = t.existing;
      const tip = await tipOf(t, repo);
      await wholePack(t, repo);
      const http = isomorphicHttp(repo.fetch);
      const onAuth = (): { username: string; password: string } => ({ username: 'x', password: repo.token });
      const { refs, head } = await oldListing(repo, 0);
      const listed = await isomorphic.listServerRefs({ http, url: repo.remote, protocolVersion: 1, onAuth });
      const names = (of: readonly { readonly oid: string }[]): string[] => of.map(({ oid }) => oid).sort();
      same(names(listed.filter(({ ref }) => !ref.endsWith('^{}'))), names(refs), 'It lists all refs.');
      if (head === undefined) return t.note('HEAD names no branch that could be cloned');
      const dir = await t.folder();
      const noCheckout = true;
      await isomorphic.clone({ fs, http, dir, url: repo.remote, depth: 1, singleBranch: true, noCheckout, onAuth });
      same(
        (await isomorphic.log({ fs, dir })).map(({ oid }) => oid),
        [tip],
        'It has the newest commit alone.',
      );
    },
  },
);
