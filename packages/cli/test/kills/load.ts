import { setTimeout as wait } from 'node:timers/promises';
import { dice, type Dice } from '@packhouse/conformance/tools/dice';
import type { FolderWorld, World } from './world.ts';

/** One client, which runs one operation after the other, on its private things. */
export interface Actor {
  readonly name: string;
  /** Runs one operation. Rejects if the connection breaks. */
  step(dice: Dice): Promise<void>;
  /** Called sometimes between two kills, while the server is idle. */
  rest?(): Promise<void>;
}

/** Hashes a text to a number. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** Milliseconds after which a server is killed even if it has acknowledged fewer writes. */
const longestLoad = 10_000;

/** The moment of a kill. */
export interface Moment {
  /** Writes of all kinds that the server has acknowledged in this round. */
  readonly writes: number;
  /** Hostile pushes among them. */
  readonly hostile: number;
  /** Milliseconds after the last of them. */
  readonly delay: number;
}

/**
 * Runs all actors in parallel, and strikes at a moment. The strike gets a function that ends the load, which goes on until
 * then.
 */
export async function loadUntil(
  world: World,
  actors: readonly Actor[],
  round: string,
  { writes, hostile, delay }: Moment,
  strike: (end: () => void) => Promise<void>,
): Promise<void> {
  const { ledger } = world;
  const hostilePushes = (): number => ledger.counts.get('hostile push')?.acknowledged ?? 0;
  const [writesDue, hostileDue] = [ledger.acknowledged + writes, hostilePushes() + hostile];
  const over = new AbortController();
  const work = async (actor: Actor): Promise<void> => {
    const own = dice(seedOf(`${round}/${actor.name}`));
    while (!over.signal.aborted) {
      await actor.step(own).catch((error: unknown) => {
        const isExpected = over.signal.aborted || isBroken(error) || world.isOutage(String(error));
        if (!isExpected) world.problems.push(`${actor.name}: ${String(error)}`);
      });
      // A step may find everything open after an outage, and do nothing.
      await wait(1);
    }
  };
  const working = actors.map(work);
  const last = Date.now() + longestLoad;
  while ((ledger.acknowledged < writesDue || hostilePushes() < hostileDue) && Date.now() < last) await wait(5);
  await wait(delay);
  await strike(() => over.abort());
  over.abort();
  await Promise.all(working);
}

/** Runs all actors in parallel, and kills the server at a moment. */
export async function loadUntilKilled(
  world: FolderWorld,
  actors: readonly Actor[],
  round: string,
  moment: Moment,
): Promise<void> {
  await loadUntil(world, actors, round, moment, async (end) => {
    end();
    await world.server.kill();
  });
  for (const line of world.server.lines('"level":"error"')) world.problems.push(`the killed server logged ${line}`);
}

/**
 * Returns true for the error of `fetch` after a broken connection. Other errors of this type are faults of the load.
 */
function isBroken(error: unknown): boolean {
  return error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message);
}
