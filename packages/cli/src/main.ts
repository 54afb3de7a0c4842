#!/usr/bin/env node
import { prepareProcess } from '@packhouse/command/prepare';

prepareProcess();

// Older Nodes print a warning about node:sqlite between the lines of the log.
const { emitWarning } = process;
process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
  if (!String(warning).startsWith('SQLite is an experimental')) Reflect.apply(emitWarning, process, [warning, ...rest]);
};

const { run } = await import('./run.ts');
const { processIo } = await import('@packhouse/command');

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

process.exitCode = await run(process.argv.slice(2), processIo({ program: calledAs(), cwd: calledIn() }));
