/**
 * Lets the system refuse calls of SQLite, in a real server: `strace` makes some calls on the write-ahead log, or on the
 * database during checkpoints, return an error. Then the server is killed, so that the next one reads the files after
 * the failed calls.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dice } from '@packhouse/conformance/tools/dice';
import { blob, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import { push, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineFolder } from '../../src/data-folder/examine-folder.ts';
import { Ledger, type Facts } from '../kills/ledger.ts';
import { observe, tagsFact, type Observed, repoPath } from '../kills/observe.ts';
import { startServer, type KillableServer } from '../support/killable-server.ts';
import { clientOf } from '../kills/client.ts';

const wanted = process.env['PACKHOUSE_POWER_CUTS'];
const rounds = wanted === undefined ? 2 : Math.ceil(Number(wanted) / 10);
/** Further rounds. One of them must refuse a write; in the others a failed checkpoint may be repeated later. */
const roundsMax = rounds + 10;
const seed = Number(process.env['PACKHOUSE_SEED'] ?? Date.now() % 1_000_000);
// With a filter in the kernel, only the calls of interest stop the server.
const follow = ['--seccomp-bpf', '-f'];
const hasStrace = spawnSync('strace', [...follow, '-o', '/dev/null', process.execPath, '--version']).status === 0;
const [database, log] = ['packhouse.sqlite', 'packhouse.sqlite-wal'];
/** A call on a file, its error, and a number of calls that all rounds reach. One of these is the first to fail. */
const failures = [
  ['pwrite64', log, 'ENOSPC', 600],
  ['pwrite64', log, 'EIO', 600],
  ['fdatasync', log, 'EIO', 20],
  ['fdatasync', log, 'ENOSPC', 20],
  ['pwrite64', database, 'ENOSPC', 200],
  ['fsync', database, 'EIO', 1],
] as const;
/** Calls on the log that are not refused: a start makes 3, and one that meets an error refuses to serve. */
const startCalls = 6;
const main = 'refs/heads/main';

/** Sends a request. Resolves to undefined if it was refused. */
type Send = () => Promise<Facts | undefined>;

let folder: string;
const tokens = new Map<string, string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-database-errors-'));
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ gc_grace: 1, stale_want_grace: 0 }));
  const server = await start('template');
  const service = clientOf(() => server.url, tokens);
  const { result } = await service.rest('POST', repoPath(), { name: 'a' });
  tokens.set('a', (result as { readonly token: string }).token);
  expect(await server.stop()).toBe(0);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(data: string, around: readonly string[] = []): Promise<KillableServer> {
  return startServer(join(folder, data), 0, 'node', join(folder, 'config.json'), around);
}

/** Pushes and sets tags. `write` does one write, and returns whether to continue. */
async function work(
  service: Observed,
  write: (kind: string, changes: Facts, send: Send) => Promise<boolean>,
): Promise<void> {
  let last: MadeObject | undefined;
  for (let i = 0; i < 12; i++) {
    // Large enough in total that the log is checkpointed.
    const file = blob(noise(500_000, i));
    const root = tree({ file });
    const next = commit(`change ${i}`, root, last === undefined ? [] : [last]);
    const refs = [main, `refs/heads/side-${i}`];
    const isPushed = await write('push', new Map(refs.map((ref) => [`ref a ${ref}`, next.oid])), async () => {
      const commands = [set(main, next, last), set(`refs/heads/side-${i}`, next)];
      const report = await push(service.remote('a'), commands, pack(next, root, file));
      return report.length === 3 && report.every((line) => /^(unpack )?ok/.test(line)) ? new Map() : undefined;
    });
    const tags = { step: String(i) };
    const isTagged =
      isPushed &&
      (await write('tags', new Map([['tags worker w', tagsFact(tags)]]), async () => {
        const body = { resource_type: 'worker', resource_id: 'w', tags };
        return (await service.rest('PUT', '/tags', body)).status === 200 ? new Map() : undefined;
      }));
    if (!isTagged) return;
    last = next;
  }
}

describe.skipIf(!hasStrace)('a server whose database meets errors of the disk', () => {
  it.each(failures)(
    'GIT-153, GIT-155: has everything acknowledged after %s of %s has failed with %s, without and with a restart',
    async (call, file, error, latest) => {
      const random = dice(seed);
      let refused = 0;
      let injected = 0;
      const isRefusalDue = (): boolean => file === log && refused === 0;
      for (let round = 0; round < rounds || (isRefusalDue() && round < roundsMax); round++) {
        rmSync(join(folder, 'data'), { recursive: true, force: true });
        cpSync(join(folder, 'template'), join(folder, 'data'), { recursive: true });
        const earliest = file === log ? startCalls + 1 : 1;
        const first = earliest + random.below(latest - earliest + 1);
        const inject = `inject=${call}:error=${error}:when=${first}..${first + random.below(6)}`;
        const trace = join(folder, 'trace');
        const only = ['-e', `trace=${call}`, '-P', join(folder, 'data', file)];
        const server = await start('data', ['strace', '-D', ...follow, '-o', trace, ...only, '-e', inject]);
        const about = `seed ${seed}: ${inject}`;
        const ledger = new Ledger();
        let restarted: KillableServer | undefined;
        try {
          const service = clientOf(() => server.url, tokens);
          ledger.settle(await observe(service));
          // Every other server is killed after the first refused write; the others continue after the error has gone.
          const triesMax = round % 2 === 0 ? 1 : 30;
          await work(service, async (kind, changes, send) => {
            for (let tries = 0; tries < triesMax; tries++) {
              if (await ledger.change(kind, changes, send).catch(() => false)) return true;
            }
            if (triesMax > 1) throw new Error(`no ${kind} was acknowledged any more`);
            return false;
          });
          if (triesMax > 1) expect(ledger.settle(await observe(service)), about).toEqual([]);
          for (const { unknown } of ledger.counts.values()) refused += unknown;
          await server.kill();
          injected += readFileSync(trace, 'latin1').split('(INJECTED)').length - 1;
          const next = await start('data');
          restarted = next;
          expect(ledger.settle(await observe(clientOf(() => next.url, tokens))), about).toEqual([]);
          expect(await restarted.stop()).toBe(0);
          expect((await examineFolder(join(folder, 'data'))).problems, about).toEqual([]);
        } finally {
          await server.kill();
          await restarted?.kill();
        }
      }
      console.log(`PACKHOUSE_SEED=${seed}, ${call} ${file} ${error}: ${injected} calls failed, ${refused} writes`);
      expect(injected).toBeGreaterThan(0);
      expect(isRefusalDue(), `seed ${seed}: no write was refused`).toBe(false);
    },
    60_000 + roundsMax * 20_000,
  );
});
