import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runGit } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import { killRounds } from './support/kill-rounds.ts';
import { runCli } from './support/killable-server.ts';
import { createRepo, pushFrom, type PushedRepo } from './support/pushed-repo.ts';
import type { ProgramName } from './support/runtime-program.ts';
import { serviceToKill, type ServiceToKill } from './support/service-to-kill.ts';

const eachRuntime = killRounds({ node: 4, deno: 2, bun: 2 }, { node: 8, deno: 2, bun: 2 });
/** Milliseconds in which maintenance begins to merge, collects, and removes replaced packs. */
const longestDelay = 3_500;

/** Pushes packs to merge, in rows and in files, and deletes a branch. Returns the value of main. */
async function pushRound(service: ServiceToKill, repo: PushedRepo, round: number): Promise<string> {
  const { work } = service;
  let value = '';
  for (let i = 0; i < 3; i++) {
    value = service.commit(`file-${round}-${i}`, randomBytes(i === 1 ? 1_700_000 : 2_000));
    expect(await pushFrom(work, repo, 'main')).toBe(true);
  }
  runGit(['switch', '--quiet', '--detach'], { cwd: work });
  service.commit('gone', randomBytes(1_000_000));
  expect(await pushFrom(work, repo, `HEAD:refs/heads/gone-${round}`)).toBe(true);
  expect(await pushFrom(work, repo, `:refs/heads/gone-${round}`)).toBe(true);
  runGit(['switch', '--quiet', 'main'], { cwd: work });
  return value;
}

interface Examined {
  readonly packs: number;
  readonly objects: number;
  readonly replacedPacks: number;
  readonly orphans: { readonly packs: number };
}

async function examine(service: ServiceToKill, about: string): Promise<Examined> {
  return (await service.examine(about)) as Examined;
}

/** Waits until no work is left, stops the server, and examines the folder. */
async function settle(service: ServiceToKill, runtime: ProgramName): Promise<Examined> {
  for (let tries = 1; ; tries++) {
    await wait(longestDelay);
    expect(await service.server.stop()).toBe(0);
    const examined = await examine(service, 'at the end');
    if (tries === 20 || (examined.replacedPacks === 0 && examined.packs < 8)) return examined;
    await service.start(runtime);
  }
}

describe('a server killed while it maintains', () => {
  // In parallel: most of the time each waits for the next maintenance of its server.
  it.concurrent.for(eachRuntime)(
    '%s, GIT-127, GIT-155: loses nothing and leaves a sound folder, in each of %i rounds',
    { timeout: 600_000 },
    async ([runtime, rounds], { onTestFinished }) => {
      const service = serviceToKill('kill-maintenance', { gc_grace: 1, stale_want_grace: 0 });
      onTestFinished(() => service.end());
      const repo = await createRepo(await service.start(runtime));
      let value = '';
      let maintained = 0;
      let halfDone = 0;
      for (let round = 0; round < rounds; round++) {
        value = await pushRound(service, repo, round);
        const delay = Math.random() * longestDelay;
        await wait(delay);
        maintained += service.server.logged('"event":"maintenance"');
        await service.server.kill();
        const about = `round ${round} after ${delay} ms`;
        const { replacedPacks, orphans } = await examine(service, about);
        if (replacedPacks + orphans.packs > 0) halfDone++;
        await service.start(runtime);
        const found = runGit([...repo.auth, 'ls-remote', repo.remote]).toString();
        expect(found, about).toBe(`${value}\tHEAD\n${value}\trefs/heads/main\n`);
        const clone = join(service.folder, `clone-${round}.git`);
        runGit([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
        runGit(['fsck', '--full', '--strict'], { cwd: clone });
        rmSync(clone, { recursive: true });
        expect(service.server.logged('"level":"error"')).toBe(0);
      }
      // Some kills must have come during maintenance, or nothing was tested.
      expect(maintained).toBeGreaterThan(0);
      expect(halfDone).toBeGreaterThan(0);
      const { packs, replacedPacks } = await settle(service, runtime);
      expect(replacedPacks).toBe(0);
      expect(packs).toBeLessThan(8);
      // Packs may hold an object twice until they are merged.
      const { data, config, work } = service;
      expect(await runCli(['maintain', '--full', '--data', data, '--config', config])).toMatchObject({ status: 0 });
      const listed = runGit(['rev-list', '--objects', '--no-object-names', 'main'], { cwd: work }).toString().trim();
      const reachable = new Set(listed.split('\n')).size;
      expect(await examine(service, 'merged')).toMatchObject({ packs: 1, objects: reachable, orphans: { packs: 0 } });
    },
  );
});
