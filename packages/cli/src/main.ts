#!/usr/bin/env node
import * as nodeModule from 'node:module';

// Later starts load no compiler (docs/decisions/0007). Not every runtime has it.
if ('enableCompileCache' in nodeModule) nodeModule.enableCompileCache();

const { run } = await import('./run.ts');

const signals = ['SIGTERM', 'SIGINT'] as const;

// A reader that closes early (`| head`) is no fault of ours.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** The scripts of the checkout run at its root, but paths are meant as seen from where the package manager was called. */
function calledIn(): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  return (script === 'start' || script === 'packhouse') && folder !== undefined ? folder : process.cwd();
}

/** Only POSIX systems can, and Deno does not. */
const replaceProcess =
  process.execve === undefined
    ? undefined
    : (file: string, args: readonly string[]) => process.execve?.(file, [file, ...args], process.env);

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  outIsTerminal: process.stdout.isTTY,
  errIsTerminal: process.stderr.isTTY,
  env: process.env,
  cwd: calledIn(),
  program: import.meta.url.endsWith('/src/main.ts') ? 'npx -y pnpm@12 packhouse' : 'packhouse',
  fetch: async (request) => await fetch(request),
  ...(replaceProcess === undefined ? {} : { replaceProcess }),
  onSignal(listener) {
    for (const signal of signals) process.on(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  },
});
