import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type ProgramName = 'node' | 'deno' | 'bun';

const packaged: Readonly<Record<ProgramName, string>> = {
  node: process.execPath,
  deno: fileURLToPath(new URL('../../node_modules/deno/deno', import.meta.url)),
  bun: fileURLToPath(new URL('../../node_modules/bun/bin/bun.exe', import.meta.url)),
};

/** Returns the program of the pinned version, not the script around it: signals would end only the script. */
export function runtimeProgram(name: ProgramName): string {
  const program = packaged[name];
  if (!existsSync(program)) throw new Error(`${program} is missing: run \`npx -y pnpm@12 tools\`.`);
  return program;
}
