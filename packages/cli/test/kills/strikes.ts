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

/** Milliseconds after which other servers take over the work of one that stalled (REPO-331). */
const leaseTime = 30_000;

/** Each kind of failure that several servers must survive, with its share. */
export const strikes: Readonly<Record<string, { readonly share: number; readonly strike: Strike }>> = {
  'kill of a server': { share: 4, strike: ({ servers, killServer }, dice) => killServer(dice.below(servers.length)) },
  'kill of all servers': {
    share: 1,
    strike: async ({ servers, killServer }) => {
      await Promise.all(servers.map((_, number) => killServer(number)));
    },
  },
  // Rare, since it lasts so long.
  'pause of a server': {
    share: 1,
    async strike({ servers, proxy }, dice) {
      const number = dice.below(servers.length);
      const paused = servers[number]?.process;
      const port = proxy.ports[number] ?? 0;
      paused?.kill('SIGSTOP');
      // Its clients learn nothing, and go to other servers. It ends their requests when it goes on.
      proxy.avoided.add(port);
      proxy.cut();
      await wait(leaseTime + 2_000 + dice.below(4_000));
      paused?.kill('SIGCONT');
      proxy.avoided.delete(port);
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
