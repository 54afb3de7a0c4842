import { dialects, restBase } from '../core/dialect.ts';
import type { Target } from '../core/target.ts';
import { ownConnections } from './own-connection.ts';

/** Milliseconds to wait for a target to answer. */
const replyWait = 10_000;

/** Returns true if anything answers at a target. */
export async function answers(target: Target): Promise<boolean> {
  const { git, areas, zone, origin, dialect, account } = target;
  const [only] = areas?.length === 1 ? areas : [];
  const url =
    git !== undefined && only === 'git'
      ? `${git.url.replaceAll('{name}', 'none')}/info/refs?service=git-upload-pack`
      : zone !== undefined && only === 'errors'
        ? zone
        : `${restBase(origin, dialects[dialect], account)}/namespaces?limit=1`;
  try {
    const reply = await ownConnections(target)(new Request(url, { signal: AbortSignal.timeout(replyWait) }));
    await reply.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
