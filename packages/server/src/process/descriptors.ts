import { readFileSync } from 'node:fs';

/** Descriptors that a process may have open where nobody tells. */
const usualLimit = 1024;

/** Descriptors that files, databases and connections to others may need. */
const descriptorsForFiles = 512;

const connectionsMost = 10_000;

/** How many descriptors this process may have open. Runtimes raise the soft limit to the hard one at their start. */
function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft ?? usualLimit);
  } catch {
    return usualLimit;
  }
}

/** Connections that a server takes by default (LIM-021): all descriptors but 512, a quarter at least, 10,000 at most. */
export function connectionsDefault(limit: number = descriptorLimit()): number {
  return Math.min(connectionsMost, Math.max(Math.floor(limit / 4), limit - descriptorsForFiles));
}
