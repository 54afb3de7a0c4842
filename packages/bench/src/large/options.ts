import { parseArgs } from 'node:util';
import { wholeNumber } from '../whole-number.ts';

/** The options of one run with large repositories. */
export interface LargeOptions {
  /** Files of the first repository. */
  readonly objects: number;
  /** Commits of the second one. */
  readonly commits: number;
  /** Refs of the third one. */
  readonly refs: number;
  /** One more repository; undefined for none. */
  readonly repo: string | undefined;
  /** `memory_max` of the server, in MiB. */
  readonly memory: number;
  readonly help: boolean;
}

export const largeUsage: string = `pnpm bench large [options]

Pushes repositories of many objects, of many commits and of many refs to a server with default settings, clones and
fetches them, pushes one more commit, and lists, with stock git. Checks what clones have, and tells for each step the
time, the processor time of the server, its peak memory, and how long a small request beside it had to wait at most.
The default of --memory is what a server takes in a control group (a container) of 1 GiB.

  --objects N    files of one commit (default 1000000)
  --commits N    commits of one branch (default 1000000)
  --refs N       refs, pushed 10,000 at a time (default 100000)
  --repo PATH    one more repository
  --memory MIB   memory_max of the server (default 768)
`;

/** Parses the command line after `large`. Throws an error that names the wrong part. */
export const parseLargeOptions = (args: readonly string[]): LargeOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      objects: { type: 'string', default: '1000000' },
      commits: { type: 'string', default: '1000000' },
      refs: { type: 'string', default: '100000' },
      repo: { type: 'string' },
      memory: { type: 'string', default: '768' },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    objects: wholeNumber('objects', values.objects),
    commits: wholeNumber('commits', values.commits),
    refs: wholeNumber('refs', values.refs),
    repo: values.repo,
    memory: wholeNumber('memory', values.memory),
    help: values.help,
  };
};
