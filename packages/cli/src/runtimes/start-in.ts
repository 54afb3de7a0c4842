import { fileURLToPath } from 'node:url';
import { ensureDataFolder } from '@packhouse/server/before-start';
import { CliError, type Io } from '@packhouse/command';
import { denoArguments } from './deno-arguments.ts';
import { findProgram, type RuntimeProgram } from './find-program.ts';
import type { ProgramName } from './runtime.ts';
import type { ServePlaces } from './serve-places.ts';

interface Startable extends RuntimeProgram {
  /** Arguments before the path of the command. */
  readonly before: (places: ServePlaces) => readonly string[];
  readonly install: string;
}

/** True in a checkout, which runs TypeScript and installs other runtimes in a different way. */
const inCheckout = import.meta.url.endsWith('.ts');

/** Keeps Bun from reading a bunfig.toml in the working directory, which could run code. */
const noConfig = '--config=/dev/null';

const programs: Readonly<Record<ProgramName, Startable>> = {
  node: {
    name: 'node',
    inPackage: 'bin/node',
    tellPath: ['-p', 'process.execPath'],
    before: () => [],
    install: 'https://nodejs.org',
  },
  deno: {
    name: 'deno',
    inPackage: 'deno',
    tellPath: ['eval', 'console.log(Deno.execPath())'],
    before: denoArguments,
    install: 'https://deno.com, or the npm package "deno"',
  },
  bun: {
    name: 'bun',
    inPackage: 'bin/bun.exe',
    tellPath: [noConfig, '-e', 'console.log(process.execPath)'],
    // The same header limit as on Node, and no variables from a file.
    before: () => [noConfig, '--no-env-file', '--max-http-header-size=32768'],
    install: 'https://bun.sh, or the npm package "bun"',
  },
};

/**
 * Runs this command line in another runtime, which replaces this process. So no parent process has to pass on signals
 * and exit codes, or stays behind. Returns only where the process cannot be replaced.
 *
 * @throws {CliError} if the runtime is not installed, or this system or runtime cannot replace the process.
 */
export function startIn(name: ProgramName, words: readonly string[], places: ServePlaces, io: Io): never {
  const program = programs[name];
  const file = findProgram(program, io.env);
  if (file === undefined) {
    throw new CliError(
      'start',
      `There is no ${name} to serve with.`,
      inCheckout
        ? 'Install it with the other runtimes of this checkout: npx -y pnpm@12 tools'
        : `Install it (${program.install}) and put it on PATH.`,
    );
  }
  const main = fileURLToPath(new URL(inCheckout ? '../main.ts' : '../main.js', import.meta.url));
  const args = [...program.before(places), main, ...words];
  if (io.replaceProcess === undefined) {
    throw new CliError(
      'start',
      `This process cannot start ${name} in its place.`,
      `Start it yourself: ${[name, ...args].map(quoted).join(' ')}`,
    );
  }
  // Created here, so that the other runtime needs permission for the folder only, not for its parent.
  ensureDataFolder(places.data);
  io.replaceProcess(file, args);
  throw new CliError('start', `${file} could not be started.`, 'Check that it is a program for this machine.');
}

function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
