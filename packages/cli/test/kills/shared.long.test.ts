/**
 * Kills servers, connections, the database and the bucket at random moments while clients use three servers, and checks
 * after each that acknowledged changes are there. In the end receivers must have the events of all. `PACKHOUSE_KILLS` is
 * the number of failures. `PACKHOUSE_SEED` repeats the operations and moments of a run, as far as parallel processes
 * allow.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { dice } from '@packhouse/conformance/tools/dice';
import { expect, it } from 'vitest';
import type { EventSink } from '../support/event-sink.ts';
import { runCli } from '../support/killable-server.ts';
import { compareBucket, sweepAfterDay } from './bucket-bytes.ts';
import { compareEvents } from './compare-events.ts';
import { hostileActor } from './hostile-load.ts';
import { loadUntil, seedOf } from './load.ts';
import { cloneAll, makeRepos, peacefulActors } from './repos.ts';
import { finishWork, openSharedWorld, settle, type SharedWorld } from './shared-world.ts';
import { pickStrikes, strikes } from './strikes.ts';

const kills = Number(process.env['PACKHOUSE_KILLS'] ?? 6);
const seed = process.env['PACKHOUSE_SEED'] ?? String(Date.now() % 1_000_000);
/** Acknowledged writes before a failure, milliseconds after the last of them, and of load after the failure. */
const mostWrites = 30;
const longestDelay = 60;
const longestRest = 600;
/** Milliseconds until deliveries go on: a lease must expire, or a retry be due. */
const longestStall = 90_000;

it(
  `REPO-190, REPO-377, REPO-396: three servers lose nothing acknowledged, nor its events, in ${kills} failures of servers, connections, database and bucket`,
  async () => {
    console.log(`PACKHOUSE_SEED=${seed}`);
    const world = await openSharedWorld();
    try {
      await makeRepos(world);
      const hook = await world.rest('POST', '/repos/namespaces/default/webhooks', { url: world.sinks[1].url });
      expect(hook.status).toBe(201);
      const actors = [...peacefulActors(world), hostileActor(world, 0)];
      await settle(world);
      const tried = new Map<string, number>();
      for (let [round, done] = [0, 0]; done < kills; round++) {
        const about = `seed ${seed}, round ${round}`;
        const own = dice(seedOf(about));
        const names = pickStrikes(own);
        const moment = { writes: own.below(mostWrites), hostile: 0, delay: own.below(longestDelay) };
        await loadUntil(world, actors, about, moment, async (end) => {
          await Promise.all(names.map((name) => strikes[name]?.strike(world, own)));
          await wait(own.below(longestRest));
          end();
        });
        // Ends pushes that stalled.
        world.proxy.cut();
        expect(await settle(world), `${about}: ${names.join(', ')}`).toEqual([]);
        for (const name of names) tried.set(name, (tried.get(name) ?? 0) + 1);
        done += names.length;
        if (round % 20 !== 19) continue;
        for (const actor of actors) await actor.rest?.();
        console.log(`${done} failures`);
      }
      console.table(Object.fromEntries(tried));
      console.table(Object.fromEntries(world.ledger.counts));
      expect(world.ledger.acknowledged).toBeGreaterThan(kills * 3);
      await finishWork(world);
      expect(await settle(world), 'at the end').toEqual([]);
      for (const sink of world.sinks) await takeAll(world, sink);
      await cloneAll(world);
      expect(await Promise.all(world.servers.map((server) => server.stop()))).toEqual(world.servers.map(() => 0));
      expect(await compareBucket(world)).toEqual([]);
      expect(await sweepAfterDay(world)).toEqual([]);
      expect(await compareBucket(world)).toEqual([]);
      const doctor = await runCli(['doctor', '--json', ...world.storage.words], world.storage.env);
      expect(doctor.status, doctor.stdout + doctor.stderr).toBe(0);
    } finally {
      await world.close();
    }
  },
  120_000 + kills * 60_000,
);

/** Waits until a receiver got all events in their order. Thousands may wait after many failures, so progress counts. */
async function takeAll({ ledger }: SharedWorld, { events }: EventSink): Promise<void> {
  let [count, since] = [-1, 0];
  for (;;) {
    const missing = compareEvents(ledger.done, events);
    if (missing.length === 0) return;
    if (events.length > count) [count, since] = [events.length, Date.now()];
    else if (Date.now() - since > longestStall) throw new Error(missing.slice(0, 10).join('\n'));
    await wait(2_000);
  }
}
