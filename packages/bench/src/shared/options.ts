import { parseArgs } from 'node:util';
import { wholeNumber } from '../whole-number.ts';

/** Measures that `--only` can choose. */
export const sharedMeasures = ['counts', 'latencies', 'servers', 'repositories'] as const;
export type SharedMeasure = (typeof sharedMeasures)[number];

/** The options of one run about servers that share a storage. */
export interface SharedOptions {
  readonly only: readonly SharedMeasure[];
  readonly rounds: number;
  /** Requests of each kind to each number of servers. */
  readonly requests: number;
  /** Numbers of servers, ascending. */
  readonly servers: readonly number[];
  /** Numbers of repositories, ascending. */
  readonly repositories: readonly number[];
  /** Folder for the plots; undefined for none. */
  readonly plots: string | undefined;
  /** File for the numbers; undefined for a file in `bench-results/` with the time in its name. */
  readonly out: string | undefined;
  readonly help: boolean;
}

export const sharedUsage: string = `pnpm bench shared [options]

Measures servers that share PostgreSQL and a bucket: what a request costs these, what a client waits with the database 0
and 1 ms away next to a server with a data folder, how many requests several servers answer, and what creations, lists
and pushes take beside many repositories. PostgreSQL syncs each commit. The bucket is s3rver.

  --only NAME       one of ${sharedMeasures.join(', ')}; can be repeated (default all)
  --rounds N        samples of each measure (default 30)
  --requests N      requests of each kind to each number of servers (default 1000)
  --servers A,B     numbers of servers (default 1,2,4)
  --repositories A,B numbers of repositories (default 1000,10000,100000)
  --plots FOLDER    where to draw servers.svg and repositories.svg (default: nowhere)
  --out FILE        where to write the numbers as JSON (default: a new file in bench-results/)
`;

const ascending = (name: string, text: string): readonly number[] => {
  const numbers = text.split(',').map((one) => wholeNumber(name, one));
  if (numbers.some((one, i) => one <= (numbers[i - 1] ?? 0)))
    throw new Error(`--${name} takes numbers in ascending order, not ${text}`);
  return numbers;
};

/** Parses the command line after `shared`. Throws an error that names the wrong part. */
export const parseSharedOptions = (args: readonly string[]): SharedOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [...sharedMeasures] },
      rounds: { type: 'string', default: '30' },
      requests: { type: 'string', default: '1000' },
      servers: { type: 'string', default: '1,2,4' },
      repositories: { type: 'string', default: '1000,10000,100000' },
      plots: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const only = values.only.map((name) => {
    const known = sharedMeasures.find((measure) => measure === name);
    if (known === undefined) throw new Error(`--only takes one of ${sharedMeasures.join(', ')}, not ${name}`);
    return known;
  });
  return {
    only,
    rounds: wholeNumber('rounds', values.rounds),
    requests: wholeNumber('requests', values.requests),
    servers: ascending('servers', values.servers),
    repositories: ascending('repositories', values.repositories),
    plots: values.plots,
    out: values.out,
    help: values.help,
  };
};
