/** Sample repositories with everything odd that Git allows. They come back as they were pushed. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fs from 'node:fs';
import * as isomorphic from 'isomorphic-git';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { isomorphicAccess } from '../../../steps/isomorphic-http.ts';
import { mirrored } from '../../../steps/imports.ts';
import { freshWork } from '../../../steps/work-tree.ts';
import { noise } from '../../../tools/noise.ts';
import { bundleOf } from '../../../tools/recording.ts';
import { same } from '../../../tools/same.ts';

/** Samples by name, with their content. */
const samples: Readonly<Record<string, string>> = {
  contents: 'CRLF, an empty file, no LF at the end, every byte, and equal files at two places',
  deep: 'a tree of 120 levels',
  deltas: 'long chains of deltas over 40 versions of two large files',
  encodings: 'names, messages and people that are not UTF-8, and refs that are not ASCII',
  merges: 'octopus and criss-cross merges, and one of unrelated histories',
  modes: 'executable bits, symbolic links and submodules',
  'odd-modes': 'file modes of old versions of Git',
  signed: 'a signed commit, a signed tag, and a merge that embeds it',
  tags: 'tags of tags, trees and blobs, refs to blobs, and notes',
  wide: '3,000 files in one folder',
};

const largeSize = 30_000_000;

/** Pushes all refs of a repository to a new repo. */
async function pushed(t: Context, cwd: string): Promise<TestRepo> {
  const repo = await t.createRepo();
  await t.git([...repo.auth, 'push', '--quiet', repo.remote, '+refs/*:refs/*'], { cwd });
  return repo;
}

/** Returns every ref, and every object with its type and size. */
async function everythingIn(t: Context, cwd: string): Promise<{ refs: string; objects: readonly string[] }> {
  const refs = await t.git(['for-each-ref'], { cwd });
  const objects = await t.git(['cat-file', '--batch-check', '--batch-all-objects'], { cwd });
  return { refs, objects: objects.trim().split('\n') };
}

/** Returns what the branches reach. isomorphic-git fetches branches with the tags that point into them. */
async function ofBranches(t: Context, cwd: string, pattern: string): Promise<readonly string[]> {
  const listed = await t.git(['rev-list', '--objects', '--no-object-names', `--glob=${pattern}`], { cwd });
  return [...new Set(listed.trim().split('\n'))].sort();
}

function sampleCase([name, content]: readonly [string, string]): Case {
  return {
    id: `git/samples/${name}`,
    requirements: ['GIT-122', 'GIT-170', 'GIT-173', 'GIT-175'],
    level: 'MUST',
    needs: ['git'],
    explanation: `A pushed repository comes back whole, by stock git and isomorphic-git, with ${content}.`,
    async run(t) {
      const cwd = await t.folder();
      await t.git(['init', '--quiet', '--bare', cwd]);
      await t.git(['fetch', '--quiet', fileURLToPath(bundleOf(name)), '+refs/*:refs/*'], { cwd });
      const repo = await pushed(t, cwd);
      const mirror = await mirrored(t, repo);
      same(await everythingIn(t, mirror), await everythingIn(t, cwd), 'A clone has the refs and objects of the push.');
      await t.git(['fsck', '--full', '--strict', '--no-dangling'], { cwd: mirror });
      const dir = await t.folder();
      await isomorphic.clone({ ...isomorphicAccess(repo), fs, dir, noCheckout: true });
      same(
        await ofBranches(t, dir, 'refs/remotes/origin/*'),
        await ofBranches(t, cwd, 'refs/heads/*'),
        'A clone by isomorphic-git has what the branches reach.',
      );
    },
  };
}

const large: Case = {
  id: 'git/samples/large-file',
  requirements: ['GIT-170', 'LIM-051'],
  level: 'MUST',
  needs: ['git'],
  slow: true,
  explanation: 'A file of 30 MB that does not compress is pushed, and comes back as it was.',
  async run(t) {
    const work = await freshWork(t);
    await writeFile(join(work, 'large.bin'), noise(largeSize, t.seed));
    await t.git(['add', '.'], { cwd: work });
    await t.git(['commit', '--quiet', '-m', 'A large file'], { cwd: work });
    const repo = await pushed(t, work);
    const mirror = await mirrored(t, repo);
    same(await everythingIn(t, mirror), await everythingIn(t, work), 'A clone has the refs and objects of the push.');
    await t.git(['fsck', '--full', '--strict'], { cwd: mirror });
  },
};

export const gitSamples: Suite = suite(...Object.entries(samples).map(sampleCase), large);
