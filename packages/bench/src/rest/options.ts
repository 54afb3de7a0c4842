import { parseArgs } from 'node:util';
import { wholeNumber } from '../whole-number.ts';

/** The options of one run about work without Git. */
export interface RestOptions {
  /** Approximate object counts of the repositories that commits go to. */
  readonly sizes: readonly number[];
  /** Bare repository to read; undefined for a generated one. */
  readonly repo: string | undefined;
  /** The text to search for. */
  readonly term: string;
  /** Samples of each measure. */
  readonly rounds: number;
  /** File for the numbers; undefined for a file in `bench-results/` with the time in its name. */
  readonly out: string | undefined;
  readonly help: boolean;
}

export const restUsage: string = `pnpm bench rest [options]

Measures what programs do over REST next to stock git: a commit of one file in repositories of several sizes, next to
clone (--depth 1 --filter=blob:none), commit and push to the same server; and comparing, merging, archiving and searching,
next to git on the bare repository itself.

  --sizes A,B    objects of the repositories that commits go to, above 200000 commits without files
                 (default 1000,10000,100000,1000000)
  --repo PATH    bare repository to compare, merge, archive and search (default: a generated one)
  --term TEXT    the text to search for (default: "return")
  --rounds N     samples of each measure (default 5)
  --out FILE     where to write the numbers as JSON (default: a new file in bench-results/)
`;

/** Parses the command line after `rest`. Throws an error that names the wrong part. */
export const parseRestOptions = (args: readonly string[]): RestOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string', default: '1000,10000,100000,1000000' },
      repo: { type: 'string' },
      term: { type: 'string', default: 'return' },
      rounds: { type: 'string', default: '5' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const sizes = values.sizes.split(',').map((size) => wholeNumber('sizes', size));
  if (sizes.some((size) => size < 500)) throw new Error(`--sizes takes numbers from 500 on, not ${values.sizes}`);
  const { repo, term, out, help } = values;
  return { sizes, repo, term, rounds: wholeNumber('rounds', values.rounds), out, help };
};
