import { parseArgs } from 'node:util';
import { runtimeNames, type RuntimeName } from './servers/packhouse.ts';
import { wholeNumber } from './whole-number.ts';

/** Measures that `--only` can choose. */
export const measureNames = [
  'clone',
  'fetch',
  'newest',
  'parts',
  'requests',
  'ls-remote',
  'first-push',
  'small-push',
  'everyday',
  'shares',
  'many-pushes',
  'memory',
  'usage',
] as const;
export type MeasureName = (typeof measureNames)[number];

/** The options of one run. */
export interface BenchOptions {
  /** The repository to measure with; undefined for the generated one. */
  readonly repo: string | undefined;
  /** Objects of the generated one, about. */
  readonly objects: number | undefined;
  /** Samples of each measure. */
  readonly rounds: number;
  readonly only: readonly MeasureName[];
  /** The runtimes of this server. The first is the baseline. */
  readonly runtimes: readonly RuntimeName[];
  /** The number of small pushes of `many-pushes`. */
  readonly pushes: number;
  /** True if stock Git takes part. */
  readonly git: boolean;
  /** File for the numbers; undefined for a file in `bench-results/` with the time in its name. */
  readonly out: string | undefined;
  readonly help: boolean;
}

export const usage: string = `pnpm bench [options]
pnpm bench plot FILE ...        draws the numbers of several runs as SVG
pnpm bench counts [options]     counts what operations cost, for CI; its own --help
pnpm bench errors [options]     measures error responses; its own --help
pnpm bench tags [options]       measures tags; its own --help
pnpm bench forks [options]      measures forks; its own --help
pnpm bench mocks [options]      measures mocks for MSW; its own --help
pnpm bench rest [options]       measures work without Git; its own --help
pnpm bench large [options]      tries what a large repository does to a server of 1 GiB; its own --help

Measures this server, on each runtime, and stock git http-backend, with and without bitmaps, on the same repository.
A ratio below 1 means that the first runtime takes less than stock git, or a further runtime less than the first.

  --repo PATH    repository to measure with (default: a generated one of more than 20,000 objects)
  --objects N    objects of the generated repository, about, all of them small
  --rounds N     samples of each measure (default 5)
  --only NAME    only this measure; may be given again: ${measureNames.join(', ')}
  --runtimes A,B runtimes of this server, the first to compare the others with (default ${runtimeNames.join(',')})
  --pushes N     small pushes that many-pushes makes (default 500; 10000 take some minutes for each runtime)
  --no-git       leave stock git out
  --out FILE     where to write the numbers as JSON (default: a new file in bench-results/)
`;

/** Parses the command line. Throws an error that names the wrong part. */
export const parseOptions = (args: readonly string[]): BenchOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      repo: { type: 'string' },
      objects: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      pushes: { type: 'string', default: '500' },
      only: { type: 'string', multiple: true, default: [] },
      runtimes: { type: 'string', default: runtimeNames.join(',') },
      'no-git': { type: 'boolean', default: false },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const only = values.only.map((name) => {
    const known = measureNames.find((measure) => measure === name);
    if (known === undefined) throw new Error(`--only takes one of ${measureNames.join(', ')}, not ${name}`);
    return known;
  });
  const runtimes = values.runtimes.split(',').map((name) => {
    const known = runtimeNames.find((runtime) => runtime === name);
    if (known === undefined) throw new Error(`--runtimes takes some of ${runtimeNames.join(', ')}, not ${name}`);
    return known;
  });
  return {
    repo: values.repo,
    objects: values.objects === undefined ? undefined : wholeNumber('objects', values.objects),
    rounds: wholeNumber('rounds', values.rounds),
    only,
    runtimes,
    pushes: wholeNumber('pushes', values.pushes),
    git: !values['no-git'],
    out: values.out,
    help: values.help,
  };
};
