import { run } from '../../src/run.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly fetch?: (request: Request) => Promise<Response>;
  /** The width of the terminal for both outputs; absent if they are pipes. */
  readonly columns?: number;
  readonly ask?: (question: string) => Promise<string>;
  readonly onSignal?: (listener: () => void) => () => void;
}

/** Runs a command line in this process, with its whole environment passed in. */
export async function ran(
  args: readonly string[],
  { env = {}, cwd = '/nowhere', fetch: send = fetch, columns, ask, onSignal = () => () => undefined }: RunOptions = {},
): Promise<Ran> {
  let out = '';
  let err = '';
  const code = await run(args, {
    out: (text) => {
      out += text;
    },
    outBytes: async (bytes) => {
      out += Buffer.from(await new Response(bytes).arrayBuffer()).toString('latin1');
    },
    err: (text) => {
      err += text;
    },
    outIsTerminal: columns !== undefined,
    errIsTerminal: columns !== undefined,
    ...(columns === undefined ? {} : { columns }),
    ...(ask === undefined ? {} : { ask }),
    env,
    cwd,
    program: 'packhouse',
    fetch: async (request) => await send(request),
    onSignal,
  });
  return { code, out, err };
}
