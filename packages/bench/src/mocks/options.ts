import { parseArgs } from 'node:util';
import { wholeNumber } from '../whole-number.ts';

/** The options of one run about mocks. */
export interface MocksOptions {
  /** Repos of the large seeds. */
  readonly repos: number;
  /** Samples of each measure. */
  readonly rounds: number;
  /** File for the numbers; undefined for a file in `bench-results/` with the time in its name. */
  readonly out: string | undefined;
  readonly help: boolean;
}

export const mocksUsage: string = `pnpm bench mocks [options]

Measures the mocks for MSW: how long one takes to be ready, and to be reset, with nothing in it, with many empty repos,
and with many repos of one commit, each as a ratio to the empty one; a request through MSW, beside the service without
MSW, and beside MSW with a handler that answers the same bytes; what a fresh process takes to import each entry as it is
published (after pnpm types), beside msw/node alone; and the portable codec beside that of Node.

  --repos N      repos of the large seeds (default 1000)
  --rounds N     samples of each measure (default 5)
  --out FILE     where to write the numbers as JSON (default: a new file in bench-results/)
`;

/** Parses the command line after `mocks`. Throws an error that names the wrong part. */
export const parseMocksOptions = (args: readonly string[]): MocksOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      repos: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '5' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    repos: wholeNumber('repos', values.repos),
    rounds: wholeNumber('rounds', values.rounds),
    out: values.out,
    help: values.help,
  };
};
