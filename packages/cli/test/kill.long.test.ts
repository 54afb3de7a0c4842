import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runGit } from '@packhouse/fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killRounds } from './support/kill-rounds.ts';
import { createRepo, pushFrom, type PushedRepo } from './support/pushed-repo.ts';
import { serviceToKill, type ServiceToKill } from './support/service-to-kill.ts';

/** Fewer on Deno and Bun, whose files and database are used by the same code. */
const eachRuntime = killRounds({ node: 6, deno: 3, bun: 3 }, { node: 12, deno: 5, bun: 5 });
/** Too large for rows, so that some pushes go to files and some to rows. */
const largeFile = 2_500_000;
/** Longer than a push takes here, so that kills hit every stage and some come too late. */
const longestDelay = 450;

let service: ServiceToKill;
let repo: PushedRepo;

beforeEach(() => {
  service = serviceToKill('kill');
});

afterEach(() => service.end());

function serverValue(): string {
  return runGit([...repo.auth, 'ls-remote', repo.remote, 'refs/heads/main'])
    .toString()
    .slice(0, 40);
}

const commitRound = (round: number): string =>
  service.commit(`file-${round % 7}`, randomBytes(round % 2 === 0 ? largeFile : 2_000));

describe('a server killed during a push', () => {
  it.each(eachRuntime)(
    '%s, GIT-153, GIT-155: has the old refs or, if the client saw ok, the new ones, in each of %i rounds',
    async (runtime, rounds) => {
      const { work } = service;
      repo = await createRepo(await service.start(runtime));
      let old = '';
      let cut = 0;
      for (let round = 0; round < rounds; round++) {
        const value = commitRound(round);
        // The first kill is early and the last one too late, even on a slow machine.
        const delay = round === 0 ? 0 : Math.random() * longestDelay;
        const pushed = pushFrom(work, repo, 'main');
        await (round === rounds - 1 ? pushed : wait(delay));
        await service.server.kill();
        const sawOk = await pushed;

        await service.examine(`round ${round} after ${delay} ms`);
        await service.start(runtime);
        const found = serverValue();
        if (!sawOk) cut++;
        if (sawOk) expect(found, `round ${round}: acknowledged`).toBe(value);
        else expect([old, value], `round ${round} after ${delay} ms`).toContain(found);
        expect(await pushFrom(work, repo, 'main'), `round ${round}: the same push again`).toBe(true);
        expect(serverValue()).toBe(value);
        old = value;
      }
      // Some kills must have come in time, and some too late, or nothing was tested.
      expect(cut).toBeGreaterThan(0);
      expect(cut).toBeLessThan(rounds);
      const clone = join(service.folder, 'clone.git');
      runGit([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
      runGit(['fsck', '--full', '--strict'], { cwd: clone });
    },
    600_000,
  );
});
