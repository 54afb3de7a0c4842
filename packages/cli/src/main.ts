#!/usr/bin/env node
import { writeSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { exitCodes } from './output/cli-error.ts';
import { nodeTooOld } from './node-version.ts';

/** On Deno, writing to a full pipe throws; other runtimes wait. */
const isDeno = 'Deno' in globalThis;

// Checked before other imports: an older Node would fail on them with a stack trace. Deno and Bun report an emulated
// Node version.
const tooOld = isDeno || 'Bun' in globalThis ? '' : nodeTooOld(process.versions.node);
if (tooOld !== '') {
  writeSync(2, tooOld);
  process.exit(exitCodes.start);
}

// Older Nodes print a warning about node:sqlite between the lines of the log.
const { emitWarning } = process;
process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
  if (!String(warning).startsWith('SQLite is an experimental')) Reflect.apply(emitWarning, process, [warning, ...rest]);
};

// Later starts skip the compiler (docs/decisions/0007). Some runtimes lack this function.
if ('enableCompileCache' in nodeModule) nodeModule.enableCompileCache();

const { run } = await import('./run.ts');
const { patientWriter, writeStream } = await import('./output/patient-writer.ts');

const signals = ['SIGTERM', 'SIGINT'] as const;

// A reader may close the pipe early (`| head`); that is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/**
 * Returns the folder that paths are relative to. Scripts of the checkout run at its root, but users mean the folder
 * where they called the package manager.
 */
function calledIn(): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  return (script === 'start' || script === 'packhouse') && folder !== undefined ? folder : process.cwd();
}

/** Returns how the user calls this program: npx puts no `packhouse` on the PATH. */
function calledAs(): string {
  if (import.meta.url.endsWith('/src/main.ts')) return 'npx -y pnpm@12 packhouse';
  return process.env['npm_lifecycle_event'] === 'npx' ? 'npx @packhouse/cli' : 'packhouse';
}

const writerOf = (stream: NodeJS.WriteStream, fd: 1 | 2): ((text: string) => void) =>
  isDeno ? patientWriter((bytes) => writeSync(fd, bytes)) : (text) => void stream.write(text);

/** Available on POSIX systems only, and not on Deno. */
const replaceProcess =
  process.execve === undefined
    ? undefined
    : (file: string, args: readonly string[]) => process.execve?.(file, [file, ...args], process.env);

/** Asks on the terminal, which lets the user edit the line. Ctrl-C ends the process. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  for await (const line of process.stdin) return String(line);
  process.stderr.write('\n');
  return '';
}
const { columns = process.stderr.columns } = process.stdout;

process.exitCode = await run(process.argv.slice(2), {
  out: writerOf(process.stdout, 1),
  outBytes: (bytes) => writeStream(bytes, (piece) => writeSync(1, piece)),
  err: writerOf(process.stderr, 2),
  outIsTerminal: process.stdout.isTTY,
  errIsTerminal: process.stderr.isTTY,
  // Some terminals report a width of 0.
  ...(columns ? { columns } : {}),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
  env: process.env,
  cwd: calledIn(),
  program: calledAs(),
  fetch: async (request) => await fetch(request),
  ...(replaceProcess === undefined ? {} : { replaceProcess }),
  onSignal(listener) {
    for (const signal of signals) process.on(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  },
});
