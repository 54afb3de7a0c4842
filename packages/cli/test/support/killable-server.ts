import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ProgramName } from './runtime-program.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export const apiToken = 'test-token-that-is-long-enough-0123456789';

/** A `packhouse serve` in a separate process that can be killed. */
export interface KillableServer {
  readonly url: string;
  readonly process: ChildProcess;
  /** Returns the number of log lines so far that contain a text. */
  logged(text: string): number;
  /** Returns the log lines so far that contain a text. */
  lines(text: string): readonly string[];
  /** Sends SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts the server on a data folder, in a runtime, and waits for its ready line. `port` 0 picks one. The runtime
 * replaces the process of the command, so the killed process is the server. `config` is a configuration file. `around`
 * is a command that is replaced by the one in its arguments. `more`: further words of the command, and variables.
 */
export async function startServer(
  data: string,
  port = 0,
  runtime: ProgramName | 'workerd' = 'node',
  config?: string,
  around: readonly string[] = [],
  more: { readonly words?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<KillableServer> {
  const [program = process.execPath, ...given] = [...around, process.execPath];
  const child = spawn(
    program,
    [...given, main, 'serve', '--json', '--runtime', runtime, '--port', String(port), '--data', data].concat(
      config === undefined ? [] : ['--config', config],
      more.words ?? [],
    ),
    {
      env: { ...process.env, PACKHOUSE_API_TOKEN: apiToken, ...more.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const exited = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-1_000_000);
  });
  const url = await new Promise<string>((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (!out.includes('\n')) return;
      const ready = JSON.parse(out) as { url: string; pid: number };
      if (ready.pid === child.pid) resolve(ready.url);
      else reject(new Error(`the server is process ${ready.pid}, a child of ${child.pid}`));
    });
    void exited.then((code) => reject(new Error(`the server ended with ${code}: ${errors}`)));
  });
  const lines = (text: string): readonly string[] => errors.split('\n').filter((line) => line.includes(text));
  return {
    url,
    process: child,
    logged: (text) => lines(text).length,
    lines,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** Runs one command of the CLI until it exits. */
export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
}
