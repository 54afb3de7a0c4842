import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runGit } from '@packhouse/fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli, startServer, type KillableServer } from './support/killable-server.ts';
import { createRepo, pushFrom, type PushedRepo } from './support/pushed-repo.ts';
import type { ProgramName } from './support/runtime-program.ts';

const roundsOf = { node: 8, deno: 4, bun: 4 } as const;
/** Milliseconds in which maintenance begins to merge, collects, and removes what it replaced. */
const longestDelay = 3_500;

let folder: string;
let data: string;
let work: string;
let config: string;
let server: KillableServer;
let repo: PushedRepo;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-kill-maintenance-'));
  data = join(folder, 'data');
  work = join(folder, 'work');
  config = join(folder, 'packhouse.json');
  writeFileSync(config, JSON.stringify({ gc_grace: 1, stale_want_grace: 0 }));
  runGit(['init', '--quiet', '--initial-branch=main', work]);
});

afterEach(async () => {
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

function commit(file: string, size: number): string {
  writeFileSync(join(work, file), randomBytes(size));
  runGit(['add', '.'], { cwd: work });
  runGit(['commit', '--quiet', '-m', file], { cwd: work });
  return runGit(['rev-parse', 'HEAD'], { cwd: work }).toString().trim();
}

/** Pushes that leave packs to merge, in rows and in files, and a branch that was deleted; the value of main. */
async function pushRound(round: number): Promise<string> {
  let value = '';
  for (let i = 0; i < 3; i++) {
    value = commit(`file-${round}-${i}`, i === 1 ? 1_700_000 : 2_000);
    expect(await pushFrom(work, repo, 'main')).toBe(true);
  }
  runGit(['switch', '--quiet', '--detach'], { cwd: work });
  commit('gone', 1_000_000);
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

async function examine(about: string): Promise<Examined> {
  const doctor = await runCli(['doctor', '--json', '--data', data]);
  expect(doctor.status, `${about}: ${doctor.stdout}${doctor.stderr}`).toBe(0);
  return JSON.parse(doctor.stdout) as Examined;
}

/** Stops the server once nothing is left to do, if it ever is, and answers what is there then. */
async function settle(runtime: ProgramName): Promise<Examined> {
  for (let tries = 1; ; tries++) {
    await wait(2 * longestDelay);
    expect(await server.stop()).toBe(0);
    const examined = await examine('at the end');
    if (tries === 10 || (examined.replacedPacks === 0 && examined.packs < 8)) return examined;
    server = await startServer(data, 0, runtime, config);
  }
}

describe('a server killed while it maintains', () => {
  it.each((['node', 'deno', 'bun'] as const).map((runtime) => [runtime, roundsOf[runtime]] as const))(
    '%s, GIT-127, GIT-155: loses nothing and leaves a sound folder, in each of %i rounds',
    async (runtime, rounds) => {
      server = await startServer(data, 0, runtime, config);
      repo = await createRepo(server);
      const port = Number(new URL(server.url).port);
      let value = '';
      let maintained = 0;
      let halfDone = 0;
      for (let round = 0; round < rounds; round++) {
        value = await pushRound(round);
        const delay = Math.random() * longestDelay;
        await wait(delay);
        maintained += server.logged('"event":"maintenance"');
        await server.kill();
        const about = `round ${round} after ${delay} ms`;
        const { replacedPacks, orphans } = await examine(about);
        if (replacedPacks + orphans.packs > 0) halfDone++;
        server = await startServer(data, port, runtime, config);
        const found = runGit([...repo.auth, 'ls-remote', repo.remote]).toString();
        expect(found, about).toBe(`${value}\tHEAD\n${value}\trefs/heads/main\n`);
        const clone = join(folder, `clone-${round}.git`);
        runGit([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
        runGit(['fsck', '--full', '--strict'], { cwd: clone });
        rmSync(clone, { recursive: true });
        expect(server.logged('"level":"error"')).toBe(0);
      }
      // Some kills must have come in the midst of it, or nothing was tested.
      expect(maintained).toBeGreaterThan(0);
      expect(halfDone).toBeGreaterThan(0);
      const { packs, replacedPacks } = await settle(runtime);
      expect(replacedPacks).toBe(0);
      expect(packs).toBeLessThan(8);
      // Packs may hold an object twice until they are merged.
      expect(await runCli(['maintain', '--full', '--data', data, '--config', config])).toMatchObject({ status: 0 });
      const listed = runGit(['rev-list', '--objects', '--no-object-names', 'main'], { cwd: work }).toString().trim();
      const reachable = new Set(listed.split('\n')).size;
      expect(await examine('merged')).toMatchObject({ packs: 1, objects: reachable, orphans: { packs: 0 } });
    },
    600_000,
  );
});
