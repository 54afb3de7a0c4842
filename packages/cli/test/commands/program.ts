import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The environment of a test, without variables of the caller that a command reads. */
function environment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const rest = { ...process.env };
  for (const name of ['PACKHOUSE_URL', 'PACKHOUSE_API_TOKEN', 'npm_lifecycle_event', 'NO_COLOR', 'FORCE_COLOR'])
    delete rest[name];
  return { ...rest, ...extra };
}

/**
 * Runs one command until it exits.
 *
 * @param options `shell`: commands of a shell that come first, such as `ulimit -f 1; `.
 */
export async function packhouse(
  args: readonly string[],
  options: { cwd?: string; env?: Readonly<Record<string, string>>; shell?: string } = {},
): Promise<Finished> {
  const child = spawn('sh', ['-c', `${options.shell ?? ''}exec "$@"`, 'sh', process.execPath, main, ...args], {
    cwd: options.cwd,
    env: environment(options.env ?? {}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = [collect(child, 'stdout'), collect(child, 'stderr')] as const;
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: texts[0](), err: texts[1]() };
}

export interface Server {
  readonly child: ChildProcess;
  /** The line on standard output. */
  readonly ready: {
    readonly event: string;
    readonly url: string;
    readonly account: string;
    readonly pid: number;
    readonly tokenFile: string | null;
  };
  readonly out: () => string;
  readonly err: () => string;
  /** Sends SIGTERM if it is still running, and returns the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts `serve --json` on a free port and waits until it is ready. `descriptors`: the limit of open file descriptors.
 */
export async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
  descriptors?: number,
): Promise<Server> {
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors}; `;
  const command = [process.execPath, main, 'serve', '--port', '0', '--json', ...args];
  const child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', ...command], {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = collect(child, 'stdout');
  const err = collect(child, 'stderr');
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const line = await Promise.race([once(lines, 'line').then(([text]) => text as string), ended.then(() => undefined)]);
  if (line === undefined) throw new Error(`serve ended: ${err()}`);
  return {
    child,
    ready: JSON.parse(line) as Server['ready'],
    out,
    err,
    async stop(): Promise<number | null> {
      child.kill('SIGTERM');
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

function collect(child: ChildProcess, name: 'stdout' | 'stderr'): () => string {
  let text = '';
  child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
