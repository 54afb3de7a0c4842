import { setTimeout as wait } from 'node:timers/promises';
import type { Dice } from '@packhouse/conformance/tools/dice';
import type { ProxyFault } from '@packhouse/fixtures/s3';
import type { SharedWorld } from './shared-world.ts';

/** Causes one kind of failure during a load, and ends it. */
type Strike = (world: SharedWorld, dice: Dice) => Promise<void>;

const bucketFaults: readonly ProxyFault[] = [
  'slow down',
  'early',
  'broken',
  'stalled',
  'lost',
  'lost',
  'cut',
  'paused',
  'late error',
];

/** Each kind of failure that several servers must survive, with its share. */
export const strikes: Readonly<Record<string, { readonly share: number; readonly strike: Strike }>> = {
  'kill of a server': { share: 4, strike: ({ servers, killServer }, dice) => killServer(dice.below(servers.length)) },
  'kill of all servers': {
    share: 1,
    strike: async ({ servers, killServer }) => {
      await Promise.all(servers.map((_, number) => killServer(number)));
    },
  },
  'cut of the proxy': { share: 3, strike: async ({ proxy }) => proxy.cut() },
  'cut of the database': { share: 3, strike: async ({ database }) => database.relay.cut() },
  'kill of the database': { share: 3, strike: ({ database }) => database.restart() },
  failover: { share: 2, strike: ({ database }) => database.failOver() },
  'lost replies of COMMIT': {
    share: 3,
    async strike({ database }, dice) {
      database.relay.judge((reply) => (reply.includes('COMMIT\0') && dice.below(4) === 0 ? 'break' : 'pass'));
      await wait(400 + dice.below(800));
      database.relay.judge(undefined);
    },
  },
  'faults of the bucket': {
    share: 4,
    async strike({ bucket }, dice) {
      bucket.fail(() => (dice.below(3) === 0 ? dice.pick(bucketFaults) : undefined));
      await wait(1_000 + dice.below(1_500));
      bucket.fail(() => undefined);
      bucket.cut();
    },
  },
  'kill of the bucket': {
    share: 1,
    async strike({ store }, dice) {
      await store.kill();
      await wait(dice.below(1_500));
      await store.restart();
    },
  },
};

const shares: readonly string[] = Object.entries(strikes).flatMap(([name, { share }]) =>
  Array.from({ length: share }, () => name),
);

/** Picks one failure, sometimes two at once. */
export function pickStrikes(dice: Dice): readonly string[] {
  return [...new Set([dice.pick(shares), ...(dice.below(4) === 0 ? [dice.pick(shares)] : [])])];
}
