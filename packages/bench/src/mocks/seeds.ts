import type { RepoSeed, Seed } from '@packhouse/msw';

/** What a mock begins with. */
export interface NamedSeed {
  readonly name: string;
  readonly seed: Seed;
}

/** Nothing, which the others are compared with; so many empty repos; and as many of one commit with two files. */
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
