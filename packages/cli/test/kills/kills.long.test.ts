/**
 * Kills a real server at random moments while tenants of all kinds use it, and checks after each kill that acknowledged
 * changes are there. `PACKHOUSE_KILLS` is the number of kills. `PACKHOUSE_SEED` repeats the operations and moments of a
 * run, as far as parallel processes allow.
 */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dice, type Dice } from '@packhouse/conformance/tools/dice';
import { expect, it } from 'vitest';
import { runCli } from '../support/killable-server.ts';
import { cloneAll, makeRepos, peacefulActors } from './repos.ts';
import { hostileActor } from './hostile-load.ts';
import { loadUntilKilled, seedOf, type Actor } from './load.ts';
import { observe } from './observe.ts';
import { openWorld, type FolderWorld } from './world.ts';

const kills = Number(process.env['PACKHOUSE_KILLS'] ?? 10);
const seed = process.env['PACKHOUSE_SEED'] ?? String(Date.now() % 1_000_000);
/** Acknowledged writes before a kill, including hostile pushes, and milliseconds after the last of them. */
const mostWrites = 50;
const mostHostile = 2;
const longestDelay = 60;
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Expects that the server has everything acknowledged, and nothing incomplete. */
async function check(world: FolderWorld, about: string): Promise<void> {
  const problems = [...world.ledger.settle(await observe(world)), ...world.problems];
  problems.push(...world.server.lines('"level":"error"'));
  expect(problems, about).toEqual([]);
}

async function examine(world: FolderWorld, about: string): Promise<void> {
  const doctor = await runCli(['doctor', '--json', '--data', world.data]);
  expect(doctor.status, `${about}: ${doctor.stdout}${doctor.stderr}`).toBe(0);
}

/** Kills a command of the data folder, or a server that has just started, at a random time after it took the folder. */
async function killCommand(world: FolderWorld, command: readonly string[], milliseconds: number): Promise<void> {
  const args = [main, ...command, '--data', world.data, '--config', world.config];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const hasFolder = (): boolean => {
    try {
      return readFileSync(join(world.data, 'holder.json'), 'utf8').includes(`"pid":${child.pid},`);
    } catch {
      // No process holds the folder yet, or the command has ended.
      return false;
    }
  };
  while (child.exitCode === null && !hasFolder()) await wait(2);
  await wait(milliseconds);
  child.kill('SIGKILL');
  // A command that ended before the kill succeeded.
  expect([null, 0]).toContain(await ended);
}

/**
 * Kills the server during the load, and sometimes also what runs on the folder afterwards. Returns the number of kills.
 */
async function killOnce(world: FolderWorld, actors: readonly Actor[], about: string, own: Dice): Promise<number> {
  const moment = { writes: own.below(mostWrites), hostile: own.below(mostHostile + 1), delay: own.below(longestDelay) };
  await loadUntilKilled(world, actors, about, moment);
  let count = 1;
  if (own.below(6) === 0) {
    const full = own.below(2) === 0 ? ['--full'] : [];
    await killCommand(world, ['maintain', ...full], own.below(600));
    count += 1;
  }
  if (own.below(8) === 0) {
    await killCommand(world, ['serve', '--port', '0'], own.below(400));
    count += 1;
  }
  await examine(world, about);
  await world.start();
  await check(world, about);
  return count;
}

async function finish(world: FolderWorld): Promise<void> {
  await cloneAll(world);
  expect(await world.server.stop()).toBe(0);
  await examine(world, 'at the end');
  const maintain = await runCli(['maintain', '--full', '--data', world.data, '--config', world.config]);
  expect(maintain, maintain.stderr).toMatchObject({ status: 0 });
  await examine(world, 'after maintenance');
  await world.start();
  await check(world, 'after maintenance');
}

it(
  `GIT-153, GIT-155, REPO-133, TAG-172: a server under hostile load loses nothing acknowledged in ${kills} kills`,
  async () => {
    console.log(`PACKHOUSE_SEED=${seed}`);
    const world = await openWorld();
    try {
      await world.start();
      await makeRepos(world);
      const actors = [...peacefulActors(world), hostileActor(world, 0), hostileActor(world, 1), hostileActor(world, 2)];
      world.ledger.settle(await observe(world));
      let done = 0;
      for (let round = 0; done < kills; round++) {
        const about = `seed ${seed}, round ${round}`;
        done += await killOnce(world, actors, about, dice(seedOf(about)));
        if (round % 20 !== 19) continue;
        for (const actor of actors) await actor.rest?.();
        console.log(`${done} kills`);
      }
      console.table(Object.fromEntries(world.ledger.counts));
      // Some kills must have come during writes, and some writes before the kill, or nothing was tested.
      const { ledger } = world;
      expect(ledger.acknowledged).toBeGreaterThan(kills * 5);
      expect(ledger.total('unknown')).toBeGreaterThan(kills);
      expect(ledger.counts.get('hostile push')?.acknowledged).toBeGreaterThan(kills / 10);
      if (kills >= 100) expect(ledger.total('unknownButDone')).toBeGreaterThan(0);
      await finish(world);
    } finally {
      await world.close();
    }
  },
  60_000 + kills * 15_000,
);
