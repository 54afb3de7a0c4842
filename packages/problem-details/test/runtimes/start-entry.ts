import { fileURLToPath } from 'node:url';
import { startProgram } from './program.ts';
import type { RunningEntry, RuntimeName } from './running-entry.ts';

/**
 * Serves the `handle` that a module exports (see `EntryModule`) in a runtime: Node, Deno and Bun run the sources as
 * they are, each in a process of its own; for workerd they are bundled.
 *
 * @throws if the module cannot be loaded there, with what the runtime said.
 */
export async function startEntry(runtime: RuntimeName, entry: URL): Promise<RunningEntry> {
  const file = fileURLToPath(entry);
  if (runtime !== 'workerd') return startProgram(runtime, file);
  // Loaded here: it needs the workerd of tools/.
  return (await import('./workerd.ts')).startWorkerd(file);
}
