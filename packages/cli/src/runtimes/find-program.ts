import { spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/** A program of another runtime, and how to find it. */
export interface RuntimeProgram {
  readonly name: 'node' | 'deno' | 'bun';
  /** The path of the program inside the npm package of that name; not the script that starts it as a child. */
  readonly inPackage: string;
  /** Arguments that make it print its own path. */
  readonly tellPath: readonly string[];
}

/**
 * Finds the program of a runtime: on PATH, else in the npm package of its name. Returns undefined if it is not
 * installed. Never returns a script: it may start the program as a child, and signals would end the script only.
 */
export function findProgram(
  program: RuntimeProgram,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const file of [...folders.map((folder) => join(folder, program.name)), ...packaged(program)]) {
    if (!runnable(file)) continue;
    const found = isScript(file) ? toldBy(file, program) : file;
    if (found !== undefined) return found;
  }
  return undefined;
}

function packaged({ name, inPackage }: RuntimeProgram): readonly string[] {
  try {
    return [join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), inPackage)];
  } catch {
    return [];
  }
}

function runnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isScript(file: string): boolean {
  const start = Buffer.alloc(2);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, start, 0, 2, 0);
  } catch {
    // A folder of that name cannot run, so skip it.
    return true;
  } finally {
    closeSync(descriptor);
  }
  return start.toString('latin1') === '#!';
}

function toldBy(script: string, { tellPath }: RuntimeProgram): string | undefined {
  const { status, stdout } = spawnSync(script, tellPath, { encoding: 'utf8', timeout: 10_000 });
  const path = status === 0 ? stdout.trim() : '';
  return path !== '' && runnable(path) && !isScript(path) ? path : undefined;
}
