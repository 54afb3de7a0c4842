import { runGit } from '../internal/run-git.ts';
import { median } from '../report/statistics.ts';
import { time } from './rounds.ts';

/** Median milliseconds that it takes to start `git` and have it do nothing. */
export const measureGitStart = async (): Promise<number> => {
  const samples: number[] = [];
  for (let round = 0; round < 21; round++) samples.push(await time(() => runGit(['--version'])));
  return median(samples);
};
