import { parseArgs } from 'node:util';
import { wholeNumber } from '../whole-number.ts';

/** The options of one run about error responses. */
export interface ErrorsOptions {
  /** Samples of each measure. */
  readonly rounds: number;
  /** File for the numbers; undefined for a file in `bench-results/` with the time in its name. */
  readonly out: string | undefined;
  readonly help: boolean;
}

export const errorsUsage: string = `pnpm bench errors [options]

Measures error responses, without servers: negotiations a second for headers that clients send, beside hono/accepts and
negotiator; renderings and whole responses a second for each format, beside a bare JSON.stringify; and the bytes that
negotiations and renderings allocate. A ratio below 1 means that this takes less time than the other.

  --rounds N     samples of each measure (default 5)
  --out FILE     where to write the numbers as JSON (default: a new file in bench-results/)
`;

/** Parses the command line after `errors`. Throws an error that names the wrong part. */
export const parseErrorsOptions = (args: readonly string[]): ErrorsOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return { rounds: wholeNumber('rounds', values.rounds), out: values.out, help: values.help };
};
