import { createGitEngine, type GitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { isolateBudget } from '../environment/isolate-budget.ts';

const mebi = 1_048_576;

/**
 * How the 128 MB of an isolate are divided, beside some 16 MB of code and what it always needs, and what the collector
 * has not come to. The pages count as memory of requests. Of the six connections that a request may wait for, two stay
 * free. A fetch holds what it reads ahead for as long as its client takes, so that is little: with four in flight, two
 * slow clients kept everybody else out.
 */
const options = {
  cache: 12 * mebi,
  pageCache: 8 * mebi,
  memory: isolateBudget.bytesReserved,
  memorySetting: 'isolate' as const,
  reads: { windowMax: 4 * mebi, inFlight: 1 },
  // Timers are the runtime's own; `setImmediate` comes with its imitation of Node alone.
  pause: () => new Promise<void>((resolve) => setTimeout(resolve, 0)),
};

let engine: GitEngine | undefined;

/**
 * The one of this isolate. The Worker's requests and the objects that maintain their repositories may be in the same
 * one, and then take turns with its memory.
 */
export function isolateEngine(): GitEngine {
  engine ??= createGitEngine({ codec: nodeCodec(), ...options });
  return engine;
}
