import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { sampleHead, sampleToken } from '@packhouse/hosting/contract';
import { wholeState } from '@packhouse/git/contract';
import { migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { repoStateMigrations } from '../src/sql/repo-state/schema.ts';
import { sqlRepoState } from '../src/sql/repo-state/repo-state.ts';

const repo = 'k3v9p0x2m7q4w8zt';
const [processes, rounds] = [4, 40];

interface Raced {
  readonly won: readonly (readonly [old: string | null, next: string])[];
  readonly merged: readonly (readonly [old: readonly string[], next: string])[];
}

it('GIT-157: concurrent processes on one database lose no update and no pack, and each value of a ref is overwritten once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-racing-'));
  const file = join(folder, 'state.sqlite');
  const driver = openNodeSqlite(file);
  try {
    migrate(driver, 'repo-state', repoStateMigrations);
    const state = sqlRepoState(driver, repo);
    await state.begin(sampleHead(repo), sampleToken('t1'));
    const started = Array.from({ length: processes + 1 }, (_, i) =>
      promisify(execFile)(process.execPath, [
        fileURLToPath(import.meta.resolve('./racing-process.ts')),
        file,
        repo,
        String(i),
        String(rounds),
      ]),
    );
    const raced = (await Promise.all(started)).map(({ stdout }) => JSON.parse(stdout) as Raced);
    const won = raced.flatMap((each) => each.won);
    const merged = raced.flatMap((each) => each.merged);
    const snapshot = await wholeState(state);
    expect(snapshot.refs).toHaveLength(processes * rounds + 1);
    // Every commit changed something, each in its own transaction.
    expect(snapshot.version).toBe(1 + processes * rounds + merged.length);
    // The accepted updates form one chain from no ref to the last value, so no value was overwritten unseen.
    const next = new Map(won);
    expect(next.size).toBe(won.length);
    let [length, value] = [0, next.get(null)];
    for (let after = value; after !== undefined; after = next.get(after)) [length, value] = [length + 1, after];
    expect(length).toBe(next.size);
    expect(length).toBeGreaterThanOrEqual(rounds);
    expect(value).toBe(snapshot.refs.find((ref) => ref.name === 'refs/heads/shared')?.oid);
    // Each push added a pack of one object, and each merge kept its objects.
    const packs = snapshot.packs ?? [];
    expect(packs.reduce((sum, pack) => sum + pack.objects, 0)).toBe(processes * rounds);
    const positions = packs.map((pack) => pack.position);
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    expect(merged.length).toBeGreaterThan(0);
    const retired = (await state.retiredPacks()).map(({ pack }) => pack.id);
    expect(retired.toSorted()).toEqual(merged.flatMap(([old]) => old).sort());
  } finally {
    driver.close();
    rmSync(folder, { recursive: true });
  }
});
