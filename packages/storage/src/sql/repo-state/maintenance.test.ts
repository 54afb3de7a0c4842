import type { PackId, RepoSnapshot } from '@packhouse/git';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { change, replacement, sampleHead, samplePack, sampleToken, update } from '@packhouse/hosting/contract';
import { type SqlDriver, type SqlValue, migrate } from '@packhouse/base';
import { limitedDriver } from '@packhouse/base/testing';
import { openNodeSqlite, type NodeSqlite } from '@packhouse/base/node-sqlite';
import { dueRepos } from './due.ts';
import { repoStateMigrations } from './schema.ts';
import { sqlRepoState } from './repo-state.ts';

const repo = 'k3v9p0x2m7q4w8zt';

let driver: NodeSqlite;
beforeEach(() => {
  driver = openNodeSqlite(':memory:');
});
afterEach(() => driver.close());

it('maintains repositories from before, with the time of the last push for all their packs', async () => {
  const limited = limitedDriver(driver);
  migrate(limited, 'repo-state', repoStateMigrations.slice(0, 3));
  const repos: readonly (readonly [id: string, pushedAt: number | null, erased: number])[] = [
    ['pushed', 5_000, 0],
    ['empty', null, 0],
    ['erased', 4_000, 1],
  ];
  for (const [id, pushedAt, erased] of repos) {
    driver.run(
      `INSERT INTO repos (id, account, namespace, name, default_branch, read_only, status, version, pushed_at, erased)
       VALUES (?, 'a', 'n', ?, 'main', 0, 'ready', 3, ?, ?)`,
      id,
      id,
      pushedAt,
      erased,
    );
  }
  for (const [position, id] of ['1', '2', '4'].map((digit) => [Number(digit), digit.repeat(32)] as const)) {
    driver.run(
      `INSERT INTO packs (repo_id, id, position, place, objects, pack_size, idx_size, graph_size, exact)
       VALUES ('pushed', ?, ?, 'store', 1, 2, 3, 4, 0)`,
      id,
      position,
    );
  }
  migrate(limited, 'repo-state', repoStateMigrations);
  const state = sqlRepoState(driver, 'pushed');
  await state.commit(change([update('refs/heads/a', null, 1)], { at: 6_000, addPacks: [samplePack({ after: 4 })] }));
  expect(((await state.snapshot()) as RepoSnapshot).packs).toMatchObject([
    { position: 1, after: 0, at: 5_000 },
    { position: 2, after: 0, at: 5_000 },
    { position: 4, after: 0, at: 5_000 },
    { position: 5, after: 4, at: 6_000 },
  ]);
  const due = driver.all('SELECT id, maintain_at FROM repos WHERE maintain_at IS NOT NULL');
  expect(due).toEqual([{ id: 'pushed', maintain_at: 5_000 }]);
  expect(await sqlRepoState(driver, 'empty').snapshot()).toMatchObject({ packs: [] });
});

it('a snapshot and a commit read no replaced pack, and only the shown tips', async () => {
  migrate(driver, 'repo-state', repoStateMigrations);
  const { explaining, plans } = explained(/\b(packs|retired_tips)\b/);
  await sqlRepoState(driver, repo).begin(sampleHead(repo), sampleToken('t1'));
  const state = sqlRepoState(explaining, repo);
  const ids: PackId[] = [];
  for (let i = 0; i < 3; i++) {
    const pack = samplePack();
    ids.push(pack.id);
    await state.commit(change([update(`refs/heads/b${i}`, null, 1)], { addPacks: [pack], leansOn: ids.slice(0, -1) }));
  }
  await state.commit(change([update('refs/heads/b0', 1, null)]));
  await state.replacePacks(replacement(ids.slice(0, 2), samplePack()));
  await state.snapshot();
  await state.storedBytes();
  await state.rowPacks();
  await state.retiredTips();
  const searches = plans.filter((detail) => !detail.startsWith('LIST SUBQUERY') && !detail.includes('json_each'));
  const indexed = [
    // The whole manifest, or one position.
    /^(SEARCH|SCAN) packs USING (COVERING )?INDEX packs_in_order( |$)/,
    // Single packs by id.
    /^SEARCH packs USING PRIMARY KEY \(repo_id=\? AND id=\?\)$/,
    /^(SEARCH|SCAN) pack_rows USING /,
    /^SEARCH retired_tips USING COVERING INDEX retired_tips_by_time \(repo_id=\?\)$/,
    /^SCAN CONSTANT ROW$/,
  ];
  expect(searches.filter((detail) => !indexed.some((pattern) => pattern.test(detail)))).toEqual([]);
  expect(searches.filter((detail) => detail.includes('packs_in_order')).length).toBeGreaterThan(8);
});

it('due repositories are read in the order of an index', () => {
  migrate(driver, 'repo-state', repoStateMigrations);
  const { explaining, plans } = explained(/./);
  expect(dueRepos(explaining, 5, 5)).toEqual([]);
  expect(plans).toEqual(['SEARCH repos USING INDEX repos_by_maintenance (maintain_at<?)']);
});

/** Wraps the database to record the query plan of each statement with `words`. */
function explained(words: RegExp): { readonly explaining: SqlDriver; readonly plans: string[] } {
  const plans: string[] = [];
  const explain = (statement: string, parameters: readonly SqlValue[]): void => {
    if (!words.test(statement)) return;
    const plan = driver.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, ...parameters);
    plans.push(...plan.map(({ detail }) => detail));
  };
  const explaining: SqlDriver = {
    all: <Row>(statement: string, ...parameters: readonly SqlValue[]) => {
      explain(statement, parameters);
      return driver.all<Row>(statement, ...parameters);
    },
    run: (statement, ...parameters) => {
      explain(statement, parameters);
      return driver.run(statement, ...parameters);
    },
    transaction: (work) => driver.transaction(work),
    durable: () => driver.durable(),
  };
  return { explaining, plans };
}
