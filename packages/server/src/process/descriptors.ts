import { readFileSync } from 'node:fs';

/** Descriptors that a process may have open where the system does not say. */
const usualLimit = 1024;

/** Descriptors kept for files, databases and outgoing connections. */
const descriptorsForFiles = 512;

const connectionsMost = 10_000;

/** Returns how many descriptors this process may open. Runtimes raise the soft limit to the hard one at their start. */
function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft ?? usualLimit);
  } catch {
    return usualLimit;
  }
}

/**
 * Returns how many connections a server takes by default (LIM-021): all descriptors except 512, at least a quarter of
 * them, at most 10,000.
 */
export function connectionsDefault(limit: number = descriptorLimit()): number {
  return Math.min(connectionsMost, Math.max(Math.floor(limit / 4), limit - descriptorsForFiles));
}
