/** A clone returns pushed objects byte for byte. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { holds } from '../../../steps/holds.ts';
import { expectFetched, refsOf } from '../../../tools/hosted-objects.ts';
import { pack } from '../../../tools/made-objects.ts';
import { buildHistory, historySteps, inPushes, type History } from '../../../tools/random-history.ts';
import { pushedHistory } from '../../../steps/repo-with.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { same } from '../../../tools/same.ts';
import { post, uploadBody } from '../../../tools/wire-client.ts';

/** Makes a bare repository that contains only a history. */
async function localRepository(t: Context, { refs, objects }: History): Promise<string> {
  const path = join(await t.folder(), t.name('local'));
  await t.git(['init', '--quiet', '--bare', path]);
  await t.git(['index-pack', '--stdin'], { cwd: path, input: pack(...objects.values()) });
  const updates = [...refs].map(([name, { oid }]) => `create ${name} ${oid}\n`);
  await t.git(['update-ref', '--stdin'], { cwd: path, input: updates.join('') });
  return path;
}

/** Returns refs and objects of a local repository, and the result of its check. */
async function contents(t: Context, cwd: string): Promise<unknown> {
  const refs = await t.git(['for-each-ref', '--format=%(refname) %(objectname)'], { cwd });
  const objects = await t.git(['cat-file', '--batch-all-objects', '--batch-check'], { cwd });
  const { status } = await t.tryGit(['fsck', '--full', '--strict', '--no-dangling'], { cwd });
  return { refs, objects, fsck: status };
}

function namesToIds({ refs }: History): Record<string, string> {
  return Object.fromEntries([...refs].map(([name, { oid }]) => [name, oid]));
}

export const gitRoundTrip: Suite = suite(
  ...['0', '1', '2'].map((version): Case => ({
    id: `git/round-trip/stock-git-${version}`,
    requirements: ['GIT-170', 'GIT-175'],
    level: 'MUST',
    needs: ['git'],
    explanation: `With protocol.version ${version} any history that stock git pushes, it clones back byte for byte.`,
    async run(t) {
      const protocol = ['-c', `protocol.version=${version}`];
      const property = fc.asyncProperty(historySteps({ isOdd: true }), async (steps) => {
        const history = buildHistory(steps);
        const local = await localRepository(t, history);
        const repo = await t.createRepo();
        await t.git([...protocol, ...repo.auth, 'push', '--quiet', '--mirror', repo.remote], { cwd: local });
        const clone = join(await t.folder(), t.name('clone'));
        await t.git([...protocol, ...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
        same(
          await contents(t, clone),
          await contents(t, local),
          'The clone holds the refs and objects that were pushed.',
        );
      });
      await holds(t, 3, property);
    },
  })),
  {
    id: 'git/round-trip/by-hand',
    requirements: ['GIT-060', 'GIT-118', 'GIT-122', 'GIT-149'],
    level: 'MUST',
    explanation: 'Any history, pushed at once or in several pushes, is listed and fetched back byte for byte.',
    async run(t) {
      const property = fc.asyncProperty(
        historySteps({ isOdd: true }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, count) => {
          const history = buildHistory(steps);
          const repo = await pushedHistory(t, history, count);
          same(await refsOf(repo), namesToIds(history), 'The refs are those that were pushed.');
          const tips = [...history.refs.values()];
          await expectFetched(repo, tips, [], [...history.objects.values()], 'What they reach comes back.');
          const wants = [...new Set(tips.map(({ oid }) => oid))];
          const { body } = await post(repo, uploadBody(wants, [], 'ofs-delta'), { version: 0 });
          const { objects } = readPack(body.subarray(body.indexOf('PACK')));
          same([...objects.keys()].sort(), [...history.objects.keys()].sort(), 'In version 0, too.');
        },
      );
      await holds(t, 6, property);
    },
  },
  {
    id: 'git/round-trip/growing',
    requirements: ['GIT-170', 'GIT-065', 'GIT-175'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'A clone that is kept up to date while a history grows has all of it after each fetch.',
    async run(t) {
      const property = fc.asyncProperty(historySteps({ isOdd: false }), async (steps) => {
        const history = buildHistory(steps);
        const local = await localRepository(t, history);
        const repo = await t.createRepo();
        const clone = join(await t.folder(), t.name('clone'));
        await t.git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
        for (const { refs } of inPushes(history, 4)) {
          const specs = [...refs.keys()].map((name) => `${name}:${name}`);
          await t.git([...repo.auth, 'push', '--quiet', repo.remote, ...specs], { cwd: local });
          await t.git([...repo.auth, 'fetch', '--quiet'], { cwd: clone });
        }
        same(await contents(t, clone), await contents(t, local), 'The clone holds what was pushed.');
        const { status } = await t.tryGit(['fsck', '--full', '--strict', '--no-dangling'], { cwd: clone });
        assert.equal(status, 0, 'Git finds no fault with it.');
      });
      await holds(t, 2, property);
    },
  },
);
