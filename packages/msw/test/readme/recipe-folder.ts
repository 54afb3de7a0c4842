import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Block } from './readme-blocks.ts';

/** A folder inside the package, which finds itself by its name there, with the files that the README prints. */
export interface RecipeFolder {
  readonly path: string;
  write(file: string, text: string): void;
  /** Runs a module of Node in a folder, and answers what it printed, whether it fails or not. */
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
      // What runs there must not take itself for a part of this run.
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
