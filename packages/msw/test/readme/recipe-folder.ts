import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Block } from './readme-blocks.ts';

/** A folder with the files of the README. It is inside the package, so that imports of the package by name work. */
export interface RecipeFolder {
  readonly path: string;
  write(file: string, text: string): void;
  /** Runs a module in Node. Returns its output, even if it fails. */
  run(folder: string, module: string, args: readonly string[]): Promise<string>;
  remove(): void;
}

export function makeRecipeFolder(blocks: readonly Block[]): RecipeFolder {
  const path = mkdtempSync(fileURLToPath(new URL('../../.recipes-', import.meta.url)));
  const write = (file: string, text: string): void => writeFileSync(join(path, file), text);
  for (const { file, code } of blocks) if (file !== undefined) write(file, code);
  return {
    path,
    write,
    async run(cwd, module, args) {
      // A Vitest that runs there must not consider itself a part of this run.
      const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
      const running = promisify(execFile)(process.execPath, [module, ...args], { cwd, env, timeout: 120_000 });
      const { stdout } = await running.catch((error: { readonly stdout?: string }) => ({
        stdout: error.stdout ?? String(error),
      }));
      return stdout;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
