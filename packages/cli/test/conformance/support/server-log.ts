import { createInterface } from 'node:readline';
import { beyondBudget } from '@packhouse/workers/budget';

/** Lines of the log that are shown when something goes wrong. */
const linesKept = 30;

/** The entries that should not be there, and the last lines whatever they are. */
export function readLog(stream: NodeJS.ReadableStream): { readonly errors: unknown[]; readonly last: string[] } {
  const errors: unknown[] = [];
  const last: string[] = [];
  createInterface({ input: stream }).on('line', (line) => {
    if (last.push(line) > linesKept) last.shift();
    if (isFault(line)) errors.push(JSON.parse(line));
  });
  return { errors, last };
}

/** An error, or in workerd more than an isolate may take, which nothing would keep it from here. */
function isFault(line: string): boolean {
  try {
    const entry = JSON.parse(line) as Readonly<Record<string, unknown>> | null;
    return entry !== null && (entry['level'] === 'error' || beyondBudget(entry) !== undefined);
  } catch {
    // A runtime's own warning.
    return false;
  }
}
