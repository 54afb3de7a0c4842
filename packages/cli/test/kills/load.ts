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

/** When a server is killed. */
export interface Moment {
  /** Writes of all kinds that the server has acknowledged in this round. */
  readonly writes: number;
  /** Hostile pushes among them. */
  readonly hostile: number;
  /** Milliseconds after the last of them. */
  readonly delay: number;
}

/** Lets all actors work at once, and kills the server at a moment. */
export async function loadUntilKilled(
  world: World,
  actors: readonly Actor[],
  round: string,
  { writes, hostile, delay }: Moment,
): Promise<void> {
  const { ledger } = world;
  const hostilePushes = (): number => ledger.counts.get('hostile push')?.acknowledged ?? 0;
  const [writesDue, hostileDue] = [ledger.acknowledged + writes, hostilePushes() + hostile];
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
  while ((ledger.acknowledged < writesDue || hostilePushes() < hostileDue) && Date.now() < last) await wait(5);
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
