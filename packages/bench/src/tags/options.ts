import { parseArgs } from 'node:util';
import { wholeNumber } from '../whole-number.ts';

/** The options of one run about tags. */
export interface TagsOptions {
  /** Tagged resources, each with ten tags. */
  readonly resources: number;
  /** Samples of each measure. */
  readonly rounds: number;
  /** File for the numbers; undefined for a file in `bench-results/` with the time in its name. */
  readonly out: string | undefined;
  readonly help: boolean;
}

export const tagsUsage: string = `pnpm bench tags [options]

Measures tags in an SQLite file: first pages and 500th pages of lists, of resources by common and rare filters, of keys,
values and summary, and single reads and writes. Each through the store and through the HTTP API in this process, beside
the same query written by hand with node:sqlite for the same file, which must give the same. A ratio below 1 means that
this takes less time than the other; what a 500th page takes of a first one tells whether pages cost more further on.

  --resources N  tagged resources, with 10 tags each (default 100000)
  --rounds N     samples of each measure (default 5)
  --out FILE     where to write the numbers as JSON (default: a new file in bench-results/)
`;

/** Parses the command line after `tags`. Throws an error that names the wrong part. */
export const parseTagsOptions = (args: readonly string[]): TagsOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      resources: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '5' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    resources: wholeNumber('resources', values.resources),
    rounds: wholeNumber('rounds', values.rounds),
    out: values.out,
    help: values.help,
  };
};
