/** REPO-130, REPO-131 of docs/specification/repositories.md: an import has the same content as a clone by stock Git. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import { holds } from '../../../steps/holds.ts';
import { holdings, imported, mirrored, servedHistory } from '../../../steps/imports.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { askFor, packIn, versions } from '../../../tools/fetch-request.ts';
import { idsOf } from '../../../tools/hosted-objects.ts';
import { change, commit, pack } from '../../../tools/made-objects.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { main } from '../../../tools/push-reports.ts';
import { buildHistory, historySteps } from '../../../tools/random-history.ts';
import { rawTree } from '../../../tools/raw-tree.ts';
import { same } from '../../../tools/same.ts';
import { discover, packet, set } from '../../../tools/wire-client.ts';

export const importHistories: Suite = suite(
  {
    id: 'rest/imports/random-histories',
    requirements: ['GIT-075', 'REPO-079', 'REPO-125', 'REPO-126', 'REPO-130', 'REPO-131', 'REPO-132'],
    level: 'MUST',
    needs: ['import remote', 'git'],
    explanation: 'Of random repositories the same refs, objects and boundaries come as in a clone by stock git.',
    async run(t) {
      const choice = fc.record({
        branch: fc.option(fc.nat(), { nil: undefined }),
        depth: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
        suffix: fc.constantFrom('', '.git', '/'),
      });
      const property = fc.asyncProperty(
        historySteps({ isOdd: true, most: 14 }),
        fc.array(choice, { minLength: 2, maxLength: 2 }),
        async (steps, choices) => {
          const history = buildHistory(steps);
          const name = await servedHistory(t, history);
          const branches = [...history.refs.keys()].filter((ref) => ref.startsWith('refs/heads/'));
          for (const { branch: number, depth, suffix } of choices) {
            const branch = number === undefined ? undefined : branches[number % branches.length]?.slice(11);
            const repo = await imported(t, { url: `${t.importRemote.origin}/${name}${suffix}`, branch, depth });
            const stock = await t.folder();
            const cut = depth === undefined ? [] : [`--depth=${depth}`];
            const one = branch === undefined ? ['--no-tags'] : ['--single-branch', `--branch=${branch}`];
            const options = branch === undefined && depth === undefined ? ['--mirror'] : ['--bare', ...cut, ...one];
            const source = `file://${join(t.importRemote.folder, `${name}.git`)}`;
            await t.git(['clone', '--quiet', ...options, source, stock]);
            const others = await t.git(['for-each-ref', '--format=delete %(refname)', 'refs/odd'], { cwd: stock });
            await t.git(['update-ref', '--stdin'], { cwd: stock, input: others });
            const what = JSON.stringify({ branch, depth });
            same(await holdings(t, await mirrored(t, repo)), await holdings(t, stock), `An import with ${what}.`);
            assert.equal(
              repo.defaultBranch,
              branch ?? 'main',
              'expected the branch that was asked for, or that of HEAD',
            );
          }
        },
      );
      await holds(t, 2, property);
    },
  },
  {
    id: 'rest/imports/to-a-depth',
    requirements: ['GIT-075', 'GIT-119', 'GIT-146', 'GIT-149', 'REPO-130'],
    level: 'MUST',
    needs: ['import remote', 'git'],
    explanation:
      'A repo that was imported to a depth tells its boundary in each version, and takes pushes on top of it.',
    async run(t) {
      const first = change('first');
      // In a push, a tree that is not sorted would be refused.
      const root = rawTree(['100644', 'b', first.file], ['100644', 'a', first.file]);
      const tip = commit('tip', root, [first]);
      const objects = new Map([...first.all, root, tip].map((object) => [object.oid, object]));
      const name = await servedHistory(t, { refs: new Map([[main, tip]]), objects });
      const repo = await imported(t, { url: `${t.importRemote.origin}/${name}`, depth: 1 });
      const line = `shallow ${tip.oid}`;
      for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
        for (const version of [0, 1] as const) {
          const { body } = await discover(repo, { service, version });
          const end = `${packet(`${line}\n`).toString()}0000`;
          assert.equal(
            body.toString('latin1').slice(-end.length),
            end,
            `${service} in version ${version} tells it last.`,
          );
        }
      }
      for (const version of versions) {
        const reply = await askFor(repo, version, { wants: [tip.oid] });
        same(reply.boundary, version === 2 ? [line] : undefined, `Version 2 has a section of it: version ${version}.`);
        const sent = readPack(packIn(reply)).objects.values();
        same(idsOf(sent), idsOf([tip, root, first.file]), 'Nothing behind it comes.');
      }
      const next = change('next', tip);
      await accepted(repo, [set(main, next, tip)], pack(...next.all));
      const { shallow, objects: held } = await holdings(t, await mirrored(t, repo));
      same([shallow, held], [[tip.oid], idsOf([...next.all, tip, root, first.file])], 'A clone is cut off there.');
    },
  },
  {
    id: 'rest/imports/of-a-url',
    requirements: ['REPO-058', 'REPO-113', 'REPO-130', 'REPO-132'],
    level: 'MUST',
    needs: ['import url', 'git'],
    explanation: 'A repository of somebody else comes with all of its branches and tags.',
    async run(t) {
      const repo = await imported(t, { url: t.importUrl });
      while ((await t.rest('GET', `/namespaces/${repo.namespace}/repos/${repo.name}`)).status === 409);
      const ours = await mirrored(t, repo);
      await t.git(['fsck', '--full', '--connectivity-only'], { cwd: ours });
      const listed = await t.git(['ls-remote', '--refs', t.importUrl, 'refs/heads/*', 'refs/tags/*']);
      const refs = await t.git(['for-each-ref', '--format=%(objectname)%09%(refname)'], { cwd: ours });
      assert.equal(refs, listed, 'expected the branches and tags of the remote');
    },
  },
);
