import { run } from './run.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly onSignal?: (listener: () => void) => () => void;
}

/** Runs a command line in this process, with everything outside passed in. */
export async function ran(
  args: readonly string[],
  { env = {}, cwd = '/nowhere', fetch: send = fetch, onSignal = () => () => undefined }: RunOptions = {},
): Promise<Ran> {
  let out = '';
  let err = '';
  const code = await run(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    outIsTerminal: false,
    errIsTerminal: false,
    env,
    cwd,
    program: 'packhouse',
    fetch: async (request) => await send(request),
    onSignal,
  });
  return { code, out, err };
}
