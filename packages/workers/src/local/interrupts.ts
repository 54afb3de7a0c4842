import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Writes a program that becomes workerd and passes over SIGINT, and answers its path; `folder` must stay while it runs.
 * miniflare starts it where `MINIFLARE_WORKERD_PATH` names it. Ctrl-C goes to all processes of a terminal, and workerd
 * would end at once, in the middle of requests; who started it ends it when they are done.
 */
export function workerdWithoutInterrupts(folder: string): string {
  const file = join(folder, 'workerd.sh');
  const program = `'${workerdPath().replaceAll("'", "'\\''")}'`;
  // What a shell ignores, the program that it becomes ignores too (POSIX, exec).
  writeFileSync(file, `#!/bin/sh\ntrap '' INT\nexec ${program} "$@"\n`, { mode: 0o700 });
  return file;
}

/** The program that miniflare starts by itself. */
function workerdPath(): string {
  const ofMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'));
  return (ofMiniflare('workerd') as { readonly default: string }).default;
}
