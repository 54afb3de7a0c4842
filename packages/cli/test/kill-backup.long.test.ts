import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { runGit } from '@packhouse/fixtures';
import { expect, it } from 'vitest';
import { killRounds } from './support/kill-rounds.ts';
import { runCli } from './support/killable-server.ts';
import { createRepo, pushFrom } from './support/pushed-repo.ts';
import { serviceToKill } from './support/service-to-kill.ts';

const [[, rounds]] = killRounds({ node: 6, deno: 0, bun: 0 }, { node: 60, deno: 0, bun: 0 }) as [[string, number]];
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Kills the command after some milliseconds, unless it has ended. */
async function killed(args: readonly string[], after: number): Promise<void> {
  const child = spawn(process.execPath, [main, ...args], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), after);
  await ended;
  clearTimeout(timer);
}

it(
  'REPO-350, REPO-351: backups beside pushes and maintenance hold every acknowledged push, also after a kill',
  { timeout: 1_200_000 },
  async ({ onTestFinished }) => {
    const service = serviceToKill('kill-backup', { gc_grace: 1, stale_want_grace: 0 });
    onTestFinished(() => service.end());
    const repo = await createRepo(await service.start('node'));
    let acknowledged = '';
    const end = new AbortController();
    const pushing = (async (): Promise<void> => {
      for (let i = 0; !end.signal.aborted; i++) {
        const commit = service.commit(`file-${i % 40}`, randomBytes(i % 3 === 0 ? 1_700_000 : 2_000));
        // A server that was killed may be starting again.
        if (await pushFrom(service.work, repo, 'main')) acknowledged = commit;
      }
    })();
    try {
      for (let round = 0; round < rounds; round++) {
        const backup = join(service.folder, `backup-${round}`);
        const args = ['backup', backup, '--data', service.data];
        if (round % 2 === 0) await killed(args, 300 + Math.random() * 2_000);
        if (round % 3 === 2) {
          await service.server.kill();
          await service.start('node');
        }
        const before = acknowledged;
        if (!existsSync(backup)) {
          const made = await runCli(args);
          expect(made.status, `round ${round}: ${made.stderr}`).toBe(0);
          expect(existsSync(`${backup}.partial`)).toBe(false);
          const database = new DatabaseSync(join(backup, 'packhouse.sqlite'), { readOnly: true });
          const ref = database.prepare("SELECT oid FROM refs WHERE name = 'refs/heads/main'").get();
          database.close();
          if (before !== '') {
            runGit(['merge-base', '--is-ancestor', before, String(ref?.['oid'])], { cwd: service.work });
          }
        }
        expect(service.server.logged('"level":"error"')).toBe(0);
        rmSync(backup, { recursive: true, force: true });
      }
    } finally {
      end.abort();
      await pushing;
    }
    // Otherwise nothing was removed while backups were made.
    expect(service.server.logged('"event":"maintenance"')).toBeGreaterThan(0);
    expect(await service.server.stop()).toBe(0);
    await service.examine('at the end');
  },
);
