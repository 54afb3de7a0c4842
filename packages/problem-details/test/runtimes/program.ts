import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLines } from './output-lines.ts';
import type { RunningEntry, RuntimeName } from './running-entry.ts';

/**
 * Each runtime's program, not a script around it, which alone would receive a signal, and the arguments before the
 * script.
 */
const programs: Readonly<Record<Exclude<RuntimeName, 'workerd'>, readonly [program: string, ...before: string[]]>> = {
  node: [process.execPath],
  // Grants no permission to read the environment, to write or to run programs: the package needs none.
  deno: [packaged('deno/deno'), 'run', '--quiet', '--no-prompt', '--no-lock', '--allow-net', '--allow-read'],
  bun: [packaged('bun/bin/bun.exe'), '--config=/dev/null', '--no-env-file'],
};

/** Text that `serve-entry.ts` prints before its URL. */
const ready = 'serving ';

const server = fileURLToPath(new URL('serve-entry.ts', import.meta.url));

function packaged(path: string): string {
  return fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));
}

/** Serves an entry module in Node, Deno or Bun. */
export function startProgram(runtime: keyof typeof programs, entry: string): Promise<RunningEntry> {
  const [program, ...before] = programs[runtime];
  return startServer(program, [...before, server, entry]);
}

/** Starts a program that behaves like `serve-entry.ts`. */
export async function startServer(program: string, args: readonly string[]): Promise<RunningEntry> {
  if (!existsSync(program)) throw new Error(`${program} is missing: run \`npx -y pnpm@12 tools\`.`);
  // The program ends when its standard input closes, so that it does not outlive a killed test.
  const child = spawn(program, args, { stdio: 'pipe' });
  const exited = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(`it ended with ${code ?? signal}`));
  });
  child.stdin.on('error', () => {});
  const lines: string[] = [];
  const errors: string[] = [];
  readLines(child.stderr, (line) => errors.push(line));
  const url = await new Promise<string>((resolve, reject) => {
    readLines(child.stdout, (line) => {
      if (line.startsWith(ready)) resolve(line.slice(ready.length));
      else lines.push(line);
    });
    void exited.then((why) =>
      reject(new Error(`${[program, ...args].join(' ')} did not serve: ${why}\n${errors.join('\n')}`)),
    );
  });
  return {
    url,
    lines: () => lines,
    errors: () => errors,
    async close() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
