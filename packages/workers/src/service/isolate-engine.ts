import { env, waitUntil } from 'cloudflare:workers';
import { createGitEngine, makingMax, type GitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { readConfiguration } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';
import { isolateBudget } from '../environment/isolate-budget.ts';
import { writeLog } from '../request/log.ts';
import { currentScope, usageFields, usageSince } from '../request/usage.ts';

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

/** Bytes. Making and storing a larger pack may take longer than the 30 s that a Worker has after a reply. */
const preparedMost = 128 * mebi;

let engine: GitEngine | undefined;

/**
 * Returns the one engine of this isolate. The Worker's requests and the maintenance of objects may run in the same
 * isolate, and then share its memory.
 */
export function isolateEngine(): GitEngine {
  engine ??= createGitEngine({
    codec: nodeCodec(),
    ...options,
    prepared: { max: preparedMax(), most: preparedMost, makingMax, background: prepareAfterReply },
  });
  return engine;
}

function preparedMax(): number {
  try {
    return readConfiguration(env as unknown as Environment).preparedMax;
  } catch {
    // Without a configuration no repository is served.
    return 0;
  }
}

/** Lets a pack be prepared after the reply, and logs what that cost apart from the request. */
function prepareAfterReply(prepare: () => Promise<void>): void {
  const scope = currentScope();
  if (scope === undefined) return waitUntil(prepare());
  const { usage } = scope;
  const sentUsage = { ...usage };
  scope.sentUsage = sentUsage;
  const logged = async (): Promise<void> => {
    await prepare();
    const own = usageSince(sentUsage, usage);
    if (own.objectCalls > 0) writeLog('info', { event: 'prepare', ...usageFields(own) });
  };
  waitUntil(logged());
}
