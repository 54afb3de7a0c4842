import { expect, it } from 'vitest';
import { sampleHead, sampleToken } from '@packhouse/hosting/contract';
import { type SqlDriver, type SqlValue, migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { repoStateMigrations } from './schema.ts';
import { sqlRepoState } from './repo-state.ts';

const repo = 'k3v9p0x2m7q4w8zt';

it('LIM-017: a page of tokens is read in the order of an index, without reading others', async () => {
  const driver = openNodeSqlite(':memory:');
  migrate(driver, 'repo-state', repoStateMigrations);
  const plans: string[] = [];
  const read: number[] = [];
  const explaining: SqlDriver = {
    all: <Row>(statement: string, ...parameters: readonly SqlValue[]) => {
      const plan = driver.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, ...parameters);
      if (/\btokens\b/.test(statement)) plans.push(...plan.map(({ detail }) => detail));
      const rows = driver.all<Row>(statement, ...parameters);
      read.push(rows.length);
      return rows;
    },
    run: (statement, ...parameters) => driver.run(statement, ...parameters),
    transaction: (work) => driver.transaction(work),
    durable: () => driver.durable(),
  };
  const state = sqlRepoState(explaining, repo);
  await state.begin(sampleHead(repo), sampleToken('first'));
  for (let i = 0; i < 200; i++) await state.addToken(sampleToken(`t${i}`, 2_000 + i, 9_000), 0, 100);
  for (const of of ['all', 'active', 'expired', 'revoked'] as const)
    await state.tokens({ state: of, at: 5_000, limit: 5, offset: 3 });
  expect(plans.length).toBeGreaterThanOrEqual(8);
  expect(plans.filter((detail) => !/USING (COVERING )?INDEX tokens_by_time \(repo_id=\?\)/.test(detail))).toEqual([]);
  expect(Math.max(...read)).toBe(5);
  driver.close();
});

it('TOKEN-011: one call drops a bounded number of ended tokens', async () => {
  const driver = openNodeSqlite(':memory:');
  migrate(driver, 'repo-state', repoStateMigrations);
  const state = sqlRepoState(driver, repo);
  await state.begin(sampleHead(repo), sampleToken('first', 0, 9e15));
  for (let i = 0; i < 1_200; i++) await state.addToken(sampleToken(`t${i}`, 1_000 + i, 5_000), 0, 10);
  const drop = async (id: string) => (await state.addToken(sampleToken(id, 6_000, 9e15), 6_000, 10)).length;
  expect([await drop('a'), await drop('b'), await drop('c')]).toEqual([1_000, 190, 0]);
  const kept = await state.tokens({ state: 'expired', at: 6_000, limit: 20, offset: 0 });
  expect(kept.tokens.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, i) => `t${1_199 - i}`));
  driver.close();
});
