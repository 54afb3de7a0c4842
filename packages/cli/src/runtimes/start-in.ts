import { fileURLToPath } from 'node:url';
import { ensureDataFolder } from '@packhouse/server';
import { CliError } from '../output/cli-error.ts';
import type { Io } from '../output/io.ts';
import { denoArguments } from './deno-arguments.ts';
import { findProgram, type RuntimeProgram } from './find-program.ts';
import type { ProgramName } from './runtime.ts';
import type { ServePlaces } from './serve-places.ts';

interface Startable extends RuntimeProgram {
  /** What stands before the path of the command. */
  readonly before: (places: ServePlaces) => readonly string[];
  readonly install: string;
}

/** A checkout runs TypeScript, and has its own way to install other runtimes. */
const inCheckout = import.meta.url.endsWith('.ts');

/** Has Bun read no bunfig.toml that happens to lie where it is started: one could run code. */
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
    // As many bytes of header as on Node, and no variables from a file either.
    before: () => [noConfig, '--no-env-file', '--max-http-header-size=32768'],
    install: 'https://bun.sh, or the npm package "bun"',
  },
};

/**
 * Runs this command line in another runtime: this process becomes it, so that nobody has to pass on signals and exit
 * code, and nobody is left behind. Answers only where that cannot be done.
 *
 * @throws {CliError} if the runtime is not here, or this system or runtime cannot become another.
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
  // Made here, so that the other needs no rights beside the folder itself.
  ensureDataFolder(places.data);
  io.replaceProcess(file, args);
  throw new CliError('start', `${file} could not be started.`, 'Check that it is a program for this machine.');
}

function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
