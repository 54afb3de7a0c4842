#!/usr/bin/env node
import { writeSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { exitCodes } from './output/cli-error.ts';
import { nodeTooOld } from './node-version.ts';

/** On Deno, writing to a pipe that is full throws; elsewhere it waits. */
const isDeno = 'Deno' in globalThis;

// Nothing else is loaded before: an older Node would fail on it with a stack trace. Deno and Bun tell a Node of theirs.
const tooOld = isDeno || 'Bun' in globalThis ? '' : nodeTooOld(process.versions.node);
if (tooOld !== '') {
  writeSync(2, tooOld);
  process.exit(exitCodes.start);
}

// Older Nodes warn of node:sqlite, among the lines of the log.
const { emitWarning } = process;
process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
  if (!String(warning).startsWith('SQLite is an experimental')) Reflect.apply(emitWarning, process, [warning, ...rest]);
};

// Later starts load no compiler (docs/decisions/0007). Not every runtime has it.
if ('enableCompileCache' in nodeModule) nodeModule.enableCompileCache();

const { run } = await import('./run.ts');
const { patientWriter } = await import('./output/patient-writer.ts');

const signals = ['SIGTERM', 'SIGINT'] as const;

// A reader that closes early (`| head`) is no fault of ours.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** The scripts of the checkout run at its root, but paths are meant as seen from where the package manager was called. */
function calledIn(): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  return (script === 'start' || script === 'packhouse') && folder !== undefined ? folder : process.cwd();
}

/** How a user calls this program: npx puts no `packhouse` on the PATH. */
function calledAs(): string {
  if (import.meta.url.endsWith('/src/main.ts')) return 'npx -y pnpm@12 packhouse';
  return process.env['npm_lifecycle_event'] === 'npx' ? 'npx @packhouse/cli' : 'packhouse';
}

const writerOf = (stream: NodeJS.WriteStream, fd: 1 | 2): ((text: string) => void) =>
  isDeno ? patientWriter((bytes) => writeSync(fd, bytes)) : (text) => void stream.write(text);

/** Only POSIX systems can, and Deno does not. */
const replaceProcess =
  process.execve === undefined
    ? undefined
    : (file: string, args: readonly string[]) => process.execve?.(file, [file, ...args], process.env);

/** The terminal itself lets a line be edited, and Ctrl-C ends the process. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  for await (const line of process.stdin) return String(line);
  process.stderr.write('\n');
  return '';
}
const { columns = process.stderr.columns } = process.stdout;

process.exitCode = await run(process.argv.slice(2), {
  out: writerOf(process.stdout, 1),
  err: writerOf(process.stderr, 2),
  outIsTerminal: process.stdout.isTTY,
  errIsTerminal: process.stderr.isTTY,
  // 0 where a terminal does not tell.
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
