/** GIT-072, GIT-074 and GIT-170 of docs/specification/git.md: stock git moves the boundary of branches that meet or part. */

import assert from 'node:assert/strict';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { dated } from '../../../tools/dated-history.ts';
import type { MadeCommit } from '../../../tools/made-objects.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { protocolVersions, speaking } from '../../../steps/work-tree.ts';
import { needFeature, start } from './history.ts';

/**
 * `topic` begins at `three` and is merged; `side` begins there and is not.
 *
 * ```text
 * one - two - three ----------- merge   main
 *               |\- four - five -/
 *                \- six - seven         side
 * ```
 */
const one = dated('one', start);
const two = dated('two', start + 1, one);
const three = dated('three', start + 2, two);
const four = dated('four', start + 3, three);
const five = dated('five', start + 4, four);
const six = dated('six', start + 5, three);
const seven = dated('seven', start + 6, six);
const merge = dated('merge', start + 7, three, five);
const all: readonly MadeCommit[] = [one, two, three, four, five, six, seven, merge];

interface Form {
  readonly id: string;
  readonly requirements: readonly string[];
  readonly explanation: string;
  readonly clone: readonly string[];
  /** Commits of the clone. */
  readonly cloned: readonly MadeCommit[];
  readonly fetch: readonly string[];
  /** Commits after the fetch. */
  readonly fetched: readonly MadeCommit[];
  readonly isShallow: boolean;
}

const forms: readonly Form[] = [
  {
    id: 'unshallow-branch',
    requirements: ['GIT-072', 'GIT-076', 'GIT-078'],
    explanation: 'git fetch --unshallow of one branch completes all branches of the clone',
    clone: ['--depth=1', '--no-single-branch'],
    cloned: [merge, seven],
    fetch: ['--unshallow', 'origin', 'main'],
    fetched: all,
    isShallow: false,
  },
  {
    id: 'deepen-merged',
    requirements: ['GIT-074', 'GIT-076'],
    explanation: 'git fetch --deepen past the start of a merged branch keeps every commit of the clone',
    clone: ['--depth=3'],
    cloned: [merge, three, five, two, four],
    fetch: ['--deepen=1', 'origin'],
    fetched: [merge, three, five, two, four, one],
    isShallow: true,
  },
];

const ids = (commits: readonly MadeCommit[]): string[] => commits.map(({ oid }) => oid).sort();

async function commitsOf(t: Context, cwd: string): Promise<string[]> {
  return (await t.git(['rev-list', '--all'], { cwd })).trim().split('\n').sort();
}

async function twoBranches(t: Context): Promise<TestRepo> {
  const objects = new Map(all.flatMap((commit) => commit.all).map((object) => [object.oid, object]));
  return repoWith(t, { 'refs/heads/main': merge, 'refs/heads/side': seven }, [...objects.values()]);
}

export const gitShallowClients: Suite = suite(
  ...forms.map(({ id, requirements, explanation, clone, cloned, fetch, fetched, isShallow }): Case => ({
    id: `git/clients/${id}`,
    requirements: ['GIT-170', ...requirements],
    level: 'MUST',
    needs: ['git'],
    explanation: `${explanation}, in every version.`,
    async run(t) {
      const repo = await twoBranches(t);
      await needFeature(t, repo, 'shallow');
      for (const version of protocolVersions) {
        const git = speaking(version, repo);
        const cwd = await t.folder();
        await t.git([...git, 'clone', '--quiet', ...clone, repo.remote, '.'], { cwd });
        same(await commitsOf(t, cwd), ids(cloned), `git clone ${clone.join(' ')} cuts with version ${version}.`);
        await t.git([...git, 'fetch', '--quiet', ...fetch], { cwd });
        same(await commitsOf(t, cwd), ids(fetched), `git fetch ${fetch.join(' ')} completes with version ${version}.`);
        const shown = await t.git(['rev-parse', '--is-shallow-repository'], { cwd });
        assert.equal(shown.trim(), String(isShallow), `The clone knows its boundary with version ${version}.`);
        await t.git(['fsck', '--full', '--strict'], { cwd });
      }
    },
  })),
);
