/** A history that stock git made and pushed, to compare fetches from a service with fetches from stock git. */

import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context, TestRepo } from '../../../core/context.ts';

/** The time of the first commit in Unix seconds. Each further one is a day later. */
export const start = 1_600_000_000;
export const day = 86_400;

export interface Places {
  readonly repo: TestRepo;
  /** A bare repository with the same history. */
  readonly original: string;
}

/** The parents of each commit, by number. Each commit adds or changes files and is a day later than the one before. */
const parents: readonly (readonly number[])[] = [[], [0], [1], [1], [3], [2], [5, 4], [6], [7], [8]];

/**
 * Pushes ten commits of `main`, two of them on a merged side line. Tag `old` is at the third commit, and the annotated
 * tag `v1` at the eighth. The files are some small ones, one of 3,000 bytes that grows, and one in folders.
 */
export async function pushHistory(t: Context): Promise<Places> {
  const repo = await t.createRepo();
  const original = await t.folder();
  await t.git(['init', '--quiet', '--bare', '--initial-branch=main', original]);
  const lines = Array.from({ length: 200 }, (_, i) => `line ${i} of it`);
  const script = parents.map((from, i) => {
    const text = `${lines.join('\n')}\nand ${i}\n`;
    return [
      'commit refs/heads/main',
      `mark :${i + 1}`,
      `committer A <a@x> ${start + i * day} +0000`,
      'data 0',
      ...from.map((number, place) => `${place === 0 ? 'from' : 'merge'} :${number + 1}`),
      `M 644 inline f${i}\ndata 1\n${i % 10}`,
      `M 644 inline large\ndata ${text.length}\n${text}`,
      `M 644 inline dir/deep/er/f\ndata 1\n${i % 10}`,
      ...(i === 0 ? ['M 644 inline sparse\ndata 10\n/dir/\n!f1\n'] : []),
      '',
    ].join('\n');
  });
  const tags = 'reset refs/tags/old\nfrom :3\n\ntag v1\nfrom :8\ntagger A <a@x> 0 +0000\ndata 0\n';
  await t.git(['fast-import', '--quiet'], { cwd: original, input: `${script.join('\n')}\n${tags}` });
  await appendFile(join(original, 'config'), '[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n');
  await t.git([...repo.auth, 'push', '--quiet', repo.remote, 'main', 'old', 'v1'], { cwd: original });
  return { repo, original };
}
