import { describe, expect, it } from 'vitest';
import type { SqlDriver } from '../sql/driver.ts';

/**
 * Runs `work` in the process that has the database, on an empty one with a table `item (name TEXT, bytes BLOB, number
 * REAL)`.
 */
export type WithDriver = <T>(work: (driver: SqlDriver) => T) => Promise<T>;

/** Creates the table that {@link WithDriver} promises. */
export const itemTable = 'CREATE TABLE item (name TEXT PRIMARY KEY, bytes BLOB, number REAL) WITHOUT ROWID';

/** Tests an adapter against the contract of `SqlDriver`. Each test calls `open` once. */
export function testSqlDriver(adapter: string, open: () => WithDriver): void {
  const add = (driver: SqlDriver, name: string) => driver.run('INSERT INTO item (name) VALUES (?)', name);
  const names = (driver: SqlDriver) =>
    driver.all<{ name: string }>('SELECT name FROM item ORDER BY name').map(({ name }) => name);

  describe(`SqlDriver: ${adapter}`, () => {
    it('keeps values of each kind', async () => {
      await open()((driver) => {
        const bytes = Uint8Array.of(9, 0, 255, 128, 9).subarray(1, 4);
        expect(driver.run('INSERT INTO item VALUES (?, ?, ?)', 'ä\0🐟', bytes, 2 ** 53 - 1)).toBe(1);
        driver.run('INSERT INTO item VALUES (?, ?, ?)', 'b', null, -0.5);
        driver.run('INSERT INTO item VALUES (?, ?, ?)', 'c', new Uint8Array(0), null);
        const rows = driver.all<{ name: string; bytes: Uint8Array | null; number: number | null }>(
          'SELECT name, bytes, number FROM item ORDER BY number DESC',
        );
        for (const { bytes: value } of rows) if (value !== null) expect(value).toBeInstanceOf(Uint8Array);
        expect(rows.map((row) => ({ ...row, bytes: row.bytes && [...row.bytes] }))).toEqual([
          { name: 'ä\0🐟', bytes: [0, 255, 128], number: 2 ** 53 - 1 },
          { name: 'b', bytes: null, number: -0.5 },
          { name: 'c', bytes: [], number: null },
        ]);
      });
    });

    it('returns bytes that the caller may keep and change', async () => {
      await open()((driver) => {
        const bytes = Uint8Array.of(1, 2);
        driver.run('INSERT INTO item VALUES (?, ?, ?)', 'a', bytes, null);
        bytes.fill(7);
        const read = () => driver.all<{ bytes: Uint8Array }>('SELECT bytes FROM item')[0]?.bytes;
        read()?.fill(8);
        expect(read()).toEqual(Uint8Array.of(1, 2));
      });
    });

    it('counts the rows that a statement changed, not those of its indexes', async () => {
      await open()((driver) => {
        driver.run('CREATE INDEX item_numbers ON item (number)');
        for (const name of ['a', 'b', 'c']) add(driver, name);
        expect(driver.run('UPDATE item SET number = 1 WHERE name <> ?', 'a')).toBe(2);
        expect(driver.run('INSERT INTO item (name) VALUES (?) ON CONFLICT DO NOTHING', 'a')).toBe(0);
        expect(driver.run('DELETE FROM item WHERE name = ?', 'z')).toBe(0);
        expect(driver.run('DELETE FROM item')).toBe(3);
      });
    });

    it('accepts numbers as LIMIT and OFFSET, and lists as JSON', async () => {
      await open()((driver) => {
        for (const name of ['a', 'b', 'c']) add(driver, name);
        const some = driver.all('SELECT name FROM item ORDER BY name LIMIT ? OFFSET ?', 1, 1);
        expect(some).toEqual([{ name: 'b' }]);
        const listed = 'SELECT name FROM item WHERE name IN (SELECT value FROM json_each(?)) ORDER BY name';
        expect(driver.all(listed, JSON.stringify(['c', 'a']))).toEqual([{ name: 'a' }, { name: 'c' }]);
      });
    });

    it.each([undefined, 'lazy'] as const)(
      'rolls a transaction back if its work throws, else commits: %s',
      async (kind) => {
        const on = open();
        await on((driver) => {
          expect(() =>
            driver.transaction(() => {
              add(driver, 'a');
              throw new Error('no');
            }, kind),
          ).toThrow('no');
          expect(driver.transaction(() => add(driver, 'b'), kind)).toBe(1);
        });
        expect(await on(names)).toEqual(['b']);
      },
    );

    it('rolls a transaction back if a statement fails, and works afterwards', async () => {
      await open()((driver) => {
        add(driver, 'a');
        expect(() => driver.transaction(() => [add(driver, 'b'), add(driver, 'a')])).toThrow();
        expect(names(driver)).toEqual(['a']);
        expect(driver.transaction(() => add(driver, 'c'))).toBe(1);
      });
    });

    it('joins nested transactions, and rolls back the whole after a caught nested failure', async () => {
      await open()((driver) => {
        driver.transaction(() => {
          add(driver, 'a');
          driver.transaction(() => add(driver, 'b'));
        });
        expect(names(driver)).toEqual(['a', 'b']);
        expect(() =>
          driver.transaction(() => {
            add(driver, 'c');
            try {
              driver.transaction(() => {
                throw new Error('inner');
              });
            } catch {
              add(driver, 'd');
            }
          }),
        ).toThrow('inner');
        expect(names(driver)).toEqual(['a', 'b']);
        driver.transaction(() => add(driver, 'e'));
        expect(names(driver)).toEqual(['a', 'b', 'e']);
      });
    });

    it('supports a read transaction, also within another', async () => {
      await open()((driver) => {
        add(driver, 'a');
        expect(driver.transaction(() => names(driver), 'read')).toEqual(['a']);
        const within = driver.transaction(() => {
          add(driver, 'b');
          return driver.transaction(() => names(driver), 'read');
        });
        expect(within).toEqual(['a', 'b']);
        expect(names(driver)).toEqual(['a', 'b']);
      });
    });

    it('refuses an asynchronous transaction', async () => {
      await open()((driver) => {
        expect(() => driver.transaction(async () => add(driver, 'a'))).toThrow(TypeError);
        expect(names(driver)).toEqual([]);
      });
    });
  });
}
