import { describe, expect, it } from 'vitest';
import { limitedDriver } from './limited-driver.ts';
import { openNodeSqlite } from './node-sqlite.ts';

describe('limitedDriver', () => {
  const driver = limitedDriver(openNodeSqlite(':memory:'));
  const parameters = (count: number) => Array.from({ length: count }, (_, i) => i);
  const sum = (count: number) =>
    `SELECT ${parameters(count)
      .map(() => '?')
      .join(' + ')} AS n`;

  it('passes on statements that a Durable Object accepts', () => {
    expect(driver.all(sum(100), ...parameters(100))).toEqual([{ n: 4_950 }]);
    expect(driver.transaction(() => driver.run('CREATE TABLE t (a)'))).toBe(0);
    expect(driver.run('INSERT INTO t VALUES (?)', new Uint8Array(2_000_000))).toBe(1);
  });

  it.each([
    ['too many parameters', () => driver.all(sum(101), ...parameters(101))],
    ['a long statement', () => driver.run(`SELECT 1 -- ${'x'.repeat(100_000)}`)],
    ['a large value', () => driver.all('SELECT length(?)', 'é'.repeat(1_000_001))],
    ['a large result', () => driver.all('SELECT zeroblob(2000001)')],
    ['a transaction by hand', () => driver.run(' begin immediate')],
    ['a PRAGMA', () => driver.all('PRAGMA user_version')],
  ])('refuses %s', (_, act) => {
    expect(act).toThrow(RangeError);
  });
});
