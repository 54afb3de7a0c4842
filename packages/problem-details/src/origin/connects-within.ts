import { userAgent } from './user-agent.ts';

/** Seconds after which the `fetch` of Node gives up connecting, and says so. */
const node = 10;

/**
 * Seconds after which the runtime's own `fetch` has a connection or has failed, if that is known. Deno, Bun and workerd
 * leave it to the system, where it is minutes (135 s on Linux for one address), and do not say how far they are.
 */
export function connectsWithin(): number | undefined {
  return userAgent().startsWith('Node.js/') ? node : undefined;
}
