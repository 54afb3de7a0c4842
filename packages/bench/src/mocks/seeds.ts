import type { RepoSeed, Seed } from '@packhouse/msw';

/** The initial content of a mock. */
export interface NamedSeed {
  readonly name: string;
  readonly seed: Seed;
}

/**
 * Returns the empty seed, which is the baseline; a seed of empty repos; and one of as many repos with two files in one
 * commit.
 */
export const seedsOf = (repos: number): readonly NamedSeed[] => [
  { name: 'nothing', seed: {} },
  { name: `${repos} empty repos`, seed: { repos: many(repos, () => ({})) } },
  {
    name: `${repos} repos of a commit`,
    seed: {
      repos: many(repos, (number) => ({ files: { 'README.md': `# Repo ${number}\n`, 'docs/one.md': 'One\n' } })),
    },
  },
];

const many = (repos: number, seed: (number: number) => RepoSeed): Record<string, RepoSeed> =>
  Object.fromEntries(Array.from({ length: repos }, (_, number) => [`repo-${number}`, seed(number)]));
