import { createGitEngine, type GitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { isolateBudget } from '../environment/isolate-budget.ts';

const mebi = 1_048_576;

/**
 * Divides the 128 MB of an isolate. About 16 MB are for code and its fixed needs, and some for uncollected garbage. The
 * page cache counts as memory of requests. Of the six connections that a request may wait for, two stay free. A fetch
 * holds its read-ahead while its client is slow, so the read-ahead is small. With four reads in flight, two slow
 * clients blocked all other requests.
 */
const options = {
  cache: 12 * mebi,
  sentCache: 0,
  pageCache: 8 * mebi,
  memory: isolateBudget.bytesReserved,
  memorySetting: 'isolate' as const,
  reads: { windowMax: 4 * mebi, inFlight: 1 },
  // The runtime has timers itself, but `setImmediate` only with its Node compatibility.
  pause: () => new Promise<void>((resolve) => setTimeout(resolve, 0)),
};

let engine: GitEngine | undefined;

/**
 * Returns the one engine of this isolate. The Worker's requests and the maintenance of objects may run in the same
 * isolate, and then share its memory.
 */
export function isolateEngine(): GitEngine {
  engine ??= createGitEngine({ codec: nodeCodec(), ...options });
  return engine;
}
