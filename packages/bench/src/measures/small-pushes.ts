import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noObject, type RefChange } from '../client/push.ts';
import { runGit, runGitForBytes } from '../internal/run-git.ts';
import type { Source } from './source.ts';

/** A push of one commit that changes one file. */
export interface SmallPush {
  readonly change: RefChange;
  readonly packFile: string;
  /** The name of a ref in the source that points to the commit, for a push by stock `git`. */
  readonly local: string;
}

/**
 * Makes `count` pushes to a new branch, each on top of the one before. The first starts from the newest branch tip of
 * the source.
 */
export const makeSmallPushes = async (source: Source, count: number, branch: string): Promise<SmallPush[]> => {
  const cwd = source.path;
  const base = await runGit(
    ['for-each-ref', '--sort=-committerdate', '--count=1', '--format=%(objectname)', 'refs/heads'],
    { cwd },
  );
  const pushes: SmallPush[] = [];
  let parent = base;
  for (let number = 1; number <= count; number++) {
    const local = `refs/bench/${branch}-${number}`;
    const content = `push ${number} of ${branch}\n`;
    const message = `Push ${number}\n`;
    const person = `Bench <bench@example.test> ${1_790_000_000 + number} +0000`;
    const stream =
      `commit ${local}\ncommitter ${person}\ndata ${message.length}\n${message}\nfrom ${parent}\n` +
      `M 100644 inline bench/${branch}.txt\ndata ${content.length}\n${content}\n`;
    await runGit(['fast-import', '--quiet'], { cwd, input: stream });
    const to = await runGit(['rev-parse', local], { cwd });
    const packFile = join(cwd, `${branch}-${number}.pack`);
    await writeFile(
      packFile,
      await runGitForBytes(['pack-objects', '--revs', '--thin', '--stdout', '--delta-base-offset', '-q'], {
        cwd,
        input: `${to}\n^${parent}\n`,
      }),
    );
    const from = number === 1 ? noObject : parent;
    pushes.push({ change: { ref: `refs/heads/${branch}`, from, to }, packFile, local });
    parent = to;
  }
  return pushes;
};
