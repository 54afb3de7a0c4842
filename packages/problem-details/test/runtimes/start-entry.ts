import { fileURLToPath } from 'node:url';
import { startProgram } from './program.ts';
import type { RunningEntry, RuntimeName } from './running-entry.ts';

/**
 * Serves the `handle` of a module (see `EntryModule`) in a runtime. Node, Deno and Bun run the sources unchanged, each
 * in its own process; for workerd the sources are bundled.
 *
 * @throws if the module cannot be loaded, with the output of the runtime.
 */
export async function startEntry(runtime: RuntimeName, entry: URL): Promise<RunningEntry> {
  const file = fileURLToPath(entry);
  if (runtime !== 'workerd') return startProgram(runtime, file);
  // Imported here, since it needs the workerd of tools/.
  return (await import('./workerd.ts')).startWorkerd(file);
}
