import { parseArgs } from 'node:util';
import { runtimeNames, type RuntimeName } from '../servers/packhouse.ts';
import { wholeNumber } from '../whole-number.ts';

/** The options of one run about forks. */
export interface ForksOptions {
  /** Approximate object counts of the repositories, ascending. */
  readonly sizes: readonly number[];
  /** Samples of each measure. */
  readonly rounds: number;
  readonly runtimes: readonly RuntimeName[];
  /** File for the numbers; undefined for a file in `bench-results/` with the time in its name. */
  readonly out: string | undefined;
  readonly help: boolean;
}

export const forksUsage: string = `pnpm bench forks [options]

Measures forks of repositories of several sizes, with every ref and with the default branch alone, beside what stock git
does of the kind: clone --bare --shared, which refers to the objects of the other, and clone --bare --local, which links
its files. Each size is told as a ratio to the smallest, and what forks add to the stored packs in bytes.

  --sizes A,B    objects of the repositories, ascending (default 1000,10000,100000)
  --rounds N     samples of each measure (default 5)
  --runtimes A,B runtimes of this server (default ${runtimeNames.join(',')})
  --out FILE     where to write the numbers as JSON (default: a new file in bench-results/)
`;

/** Parses the command line after `forks`. Throws an error that names the wrong part. */
export const parseForksOptions = (args: readonly string[]): ForksOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string', default: '1000,10000,100000' },
      rounds: { type: 'string', default: '5' },
      runtimes: { type: 'string', default: runtimeNames.join(',') },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const sizes = values.sizes.split(',').map((size) => wholeNumber('sizes', size));
  if (sizes.some((size, i) => size < 500 || size <= (sizes[i - 1] ?? 0))) {
    throw new Error(`--sizes takes numbers from 500 on in ascending order, not ${values.sizes}`);
  }
  const runtimes = values.runtimes.split(',').map((name) => {
    const known = runtimeNames.find((runtime) => runtime === name);
    if (known === undefined) throw new Error(`--runtimes takes some of ${runtimeNames.join(', ')}, not ${name}`);
    return known;
  });
  return { sizes, rounds: wholeNumber('rounds', values.rounds), runtimes, out: values.out, help: values.help };
};
