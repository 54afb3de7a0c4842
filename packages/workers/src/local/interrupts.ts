import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Writes a script that runs workerd and ignores SIGINT. Returns its path, for `MINIFLARE_WORKERD_PATH`. `folder` must
 * exist while workerd runs. Ctrl-C goes to all processes of a terminal, so workerd would end in the middle of requests.
 * The process that started it ends it after the requests.
 */
export function workerdWithoutInterrupts(folder: string): string {
  const file = join(folder, 'workerd.sh');
  const program = `'${workerdPath().replaceAll("'", "'\\''")}'`;
  // A program inherits the ignored signals of the shell that executes it (POSIX, exec).
  writeFileSync(file, `#!/bin/sh\ntrap '' INT\nexec ${program} "$@"\n`, { mode: 0o700 });
  return file;
}

/** Returns the path of the workerd that miniflare starts by default. */
function workerdPath(): string {
  const ofMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'));
  return (ofMiniflare('workerd') as { readonly default: string }).default;
}
