import { runGit } from '../internal/run-git.ts';
import { median } from '../report/statistics.ts';
import { time } from './rounds.ts';

/** Measures the median time to start a `git` that does nothing, in milliseconds. */
export const measureGitStart = async (): Promise<number> => {
  const samples: number[] = [];
  for (let round = 0; round < 21; round++) samples.push(await time(() => runGit(['--version'])));
  return median(samples);
};
