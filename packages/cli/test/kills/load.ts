import { setTimeout as wait } from 'node:timers/promises';
import { dice, type Dice } from '@packhouse/conformance/tools/dice';
import type { World } from './world.ts';

/** One client: it does one thing after the other, in places of its own. */
export interface Actor {
  readonly name: string;
  /** One operation. Rejects when the connection breaks. */
  step(dice: Dice): Promise<void>;
  /** Called from time to time between two kills, beside a server without load. */
  rest?(): void;
}

/** A number from any text, the same for the same text. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** Milliseconds after which a server is killed however few writes it has acknowledged. */
const longestLoad = 10_000;

/** Lets all actors work at once, and kills the server `delay` milliseconds after so many writes were acknowledged. */
export async function loadUntilKilled(
  world: World,
  actors: readonly Actor[],
  round: string,
  { writes, delay }: { readonly writes: number; readonly delay: number },
): Promise<void> {
  const due = world.ledger.acknowledged + writes;
  const over = new AbortController();
  const work = async (actor: Actor): Promise<void> => {
    const own = dice(seedOf(`${round}/${actor.name}`));
    while (!over.signal.aborted) {
      await actor.step(own).catch((error: unknown) => {
        if (!over.signal.aborted && !isBroken(error)) world.problems.push(`${actor.name}: ${String(error)}`);
      });
    }
  };
  const working = actors.map(work);
  const last = Date.now() + longestLoad;
  while (world.ledger.acknowledged < due && Date.now() < last) await wait(5);
  await wait(delay);
  over.abort();
  await world.server.kill();
  await Promise.all(working);
  for (const line of world.server.lines('"level":"error"')) world.problems.push(`the killed server logged ${line}`);
}

/** Whether an error is what `fetch` says of a connection that broke; other errors of this type are faults of the load. */
function isBroken(error: unknown): boolean {
  return error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message);
}
