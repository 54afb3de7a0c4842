import { DatabaseSync } from 'node:sqlite';
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { withoutNumbers } from './numbered-parameters.ts';

const number = fc.option(fc.integer({ min: 1, max: 12 }));

test.prop([fc.array(number, { minLength: 1, maxLength: 12 })])(
  'BIND-020: a statement without numbers gives the same result as SQLite with them',
  (numbers) => {
    const statement = `SELECT ${numbers.map((one, i) => `?${one ?? ''} AS c${i}`).join(', ')}`;
    const highest = numbers.reduce<number>((most, one) => Math.max(most, one ?? most + 1), 0);
    const parameters = Array.from({ length: highest }, (_, i) => i);
    const { text, place } = withoutNumbers(statement);
    const database = new DatabaseSync(':memory:');
    try {
      expect(text).not.toMatch(/\?\d/);
      expect(database.prepare(text).get(...place(parameters))).toEqual(database.prepare(statement).get(...parameters));
    } finally {
      database.close();
    }
  },
);
