import { createInterface } from 'node:readline';
import { beyondBudget } from '@packhouse/workers/budget';

/** Lines of the log that are shown after a failure. */
const linesKept = 30;

/** Collects entries that must not occur, and the last lines of any kind. */
export function readLog(stream: NodeJS.ReadableStream): { readonly errors: unknown[]; readonly last: string[] } {
  const errors: unknown[] = [];
  const last: string[] = [];
  createInterface({ input: stream }).on('line', (line) => {
    if (last.push(line) > linesKept) last.shift();
    if (isFault(line)) errors.push(JSON.parse(line));
  });
  return { errors, last };
}

/** Returns true for an error, or for more than an isolate may use in workerd, which does not enforce that here. */
function isFault(line: string): boolean {
  try {
    const entry = JSON.parse(line) as Readonly<Record<string, unknown>> | null;
    return entry !== null && (entry['level'] === 'error' || beyondBudget(entry) !== undefined);
  } catch {
    // A warning of the runtime itself.
    return false;
  }
}
