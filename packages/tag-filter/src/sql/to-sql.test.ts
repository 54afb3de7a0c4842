import { fc, it as property } from '@fast-check/vitest';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { anyFilter, anyKey, anyTags, anyValue } from '../filter/arbitraries.test.util.ts';
import { createTagFilter, type TagFilter } from '../filter/tag-filter.ts';
import { foldCase } from '../match/fold-case.ts';
import { matches } from '../match/matches.ts';
import type { Tags } from '../tag/tags.ts';
import { parseTagFilters } from '../wire/parse-tag-filters.ts';
import { postgres } from './postgres.ts';
import { type TagTable, toSql } from './to-sql.ts';

/** All names need quoting. */
const table: TagTable = {
  name: 'order "of" tags',
  resource: 'resources.id',
  columns: { resource: 'group', key: 'key', value: "it's", foldedKey: 'folded key', foldedValue: 'folded value' },
};

const database = new DatabaseSync(':memory:');
afterAll(() => database.close());
database.exec(`
  CREATE TABLE resources (id INTEGER PRIMARY KEY);
  CREATE TABLE "order ""of"" tags" (
    "group" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "it's" TEXT NOT NULL,
    "folded key" TEXT NOT NULL,
    "folded value" TEXT NOT NULL,
    PRIMARY KEY ("group", "key")
  ) WITHOUT ROWID;
  CREATE INDEX folded ON "order ""of"" tags" ("group", "folded key", "folded value");
`);
const insertResource = database.prepare('INSERT INTO resources VALUES (?)');
const insertTag = database.prepare('INSERT INTO "order ""of"" tags" VALUES (?, ?, ?, ?, ?)');

function fill(resources: readonly Tags[]): void {
  database.exec('DELETE FROM resources; DELETE FROM "order ""of"" tags"');
  resources.forEach((tags, id) => {
    insertResource.run(id);
    for (const [key, value] of Object.entries(tags)) insertTag.run(id, key, value, foldCase(key), foldCase(value));
  });
}

function select(filters: readonly TagFilter[], caseInsensitive: boolean): readonly unknown[] {
  const { sql, parameters } = toSql(filters, { table, caseInsensitive });
  const rows = database.prepare(`SELECT id FROM resources WHERE ${sql} ORDER BY id`).all(...parameters);
  return rows.map(({ id }) => id);
}

describe('toSql', () => {
  property.prop([fc.array(anyFilter, { maxLength: 3 }), fc.array(anyTags, { maxLength: 6 }), fc.boolean()], {
    numRuns: 600,
  })(
    'TAG-067, TAG-070, TAG-071, TAG-086: SQLite selects exactly the resources that match',
    (filters, resources, ci) => {
      fill(resources);
      const accepted = resources.flatMap((tags, id) => (matches(filters, tags, { caseInsensitive: ci }) ? [id] : []));
      expect(select(filters, ci)).toEqual(accepted);
    },
  );

  property.prop([anyTags.filter((tags) => Object.keys(tags).length > 0), fc.boolean(), fc.nat()])(
    'TAG-086: SQLite finds each stored value, and no similar one',
    (tags, ci, pick) => {
      const entries = Object.entries(tags);
      const [key = '', value = ''] = entries[pick % entries.length] ?? [];
      fill([tags, { [`${key}x`]: value }, { k: `${value}x` }, {}]);
      const search = `tag=${encodeURIComponent(key)}=${encodeURIComponent(value)}`;
      expect(select(parseTagFilters(search), ci)).toEqual([0]);
    },
  );

  property.prop([fc.array(anyFilter, { maxLength: 2 }), anyKey, anyValue, fc.array(anyTags, { maxLength: 6 })])(
    'TAG-067, TAG-086: also holds in a query that begins with the tags of one filter',
    (rest, key, value, resources) => {
      fill(resources);
      const { sql, parameters } = toSql(rest, { table: { ...table, resource: 'first."group"' }, firstParameter: 3 });
      const begin = `SELECT "group" FROM "order ""of"" tags" AS first WHERE "key" = ? AND "it's" = ?`;
      const rows = database.prepare(`${begin} AND ${sql} ORDER BY "group"`).all(key, value, ...parameters);
      const filters = [createTagFilter({ key, test: 'one-of', values: [value] }), ...rest];
      const accepted = resources.flatMap((tags, id) => (matches(filters, tags) ? [id] : []));
      expect(rows.map(({ group }) => group)).toEqual(accepted);
    },
  );

  it.each([
    [false, 'PRIMARY KEY (group=? AND key=?)'],
    [true, 'COVERING INDEX folded (group=? AND folded key=? AND folded value=?)'],
  ])('an index answers each condition; ignoring case: %s', (caseInsensitive, index) => {
    const filters = parseTagFilters('tag=a=b&tag=a=b,c&tag=d!=e&tag=d!=e,f');
    const { sql, parameters } = toSql(filters, { table, caseInsensitive });
    const plan = database.prepare(`EXPLAIN QUERY PLAN SELECT id FROM resources WHERE ${sql}`).all(...parameters);
    const steps = plan.map(({ detail }) => String(detail)).filter((detail) => detail.includes('matched_tag'));
    expect(steps).toHaveLength(4);
    // Newer versions of SQLite report that they made a join of it.
    for (const step of steps) expect(step.replace(' EXISTS', '')).toBe(`SEARCH matched_tag USING ${index}`);
  });

  it('TAG-135, TAG-136: filters of a query take at most 40 parameters, and none of their texts is in the SQL', () => {
    const values = Array.from({ length: 10 }, (_, index) => `needle${index}`).join(',');
    const filters = parseTagFilters(Array(20).fill(`tag=needle=${values}`).join('&'));
    const { sql, parameters } = toSql(filters, { table, caseInsensitive: true });
    expect(parameters).toHaveLength(40);
    expect(sql).not.toContain('needle');
    expect(sql.toUpperCase()).not.toContain('LIKE');
    expect(sql.match(/\?/g)).toHaveLength(40);
  });

  it('writes one condition per filter', () => {
    const plain: TagTable = {
      name: 'tags',
      resource: 'r.id',
      columns: { resource: 'r', key: 'k', value: 'v', foldedKey: 'fk', foldedValue: 'fv' },
    };
    expect(toSql(parseTagFilters('tag=a&tag=B!=c,d'), { table: plain })).toEqual({
      sql:
        '(EXISTS (SELECT 1 FROM "tags" AS matched_tag WHERE matched_tag."r" = r.id AND matched_tag."k" = ?)' +
        ' AND NOT EXISTS (SELECT 1 FROM "tags" AS matched_tag WHERE matched_tag."r" = r.id AND matched_tag."k" = ?' +
        ' AND matched_tag."v" IN (SELECT json_each.value FROM json_each(?))))',
      parameters: ['a', 'B', '["c","d"]'],
    });
    expect(toSql([], { table: plain })).toEqual({ sql: '1 = 1', parameters: [] });
  });

  it('is one condition, which can be negated and combined with others', () => {
    fill([{ a: '', b: '' }, { a: '' }, {}]);
    for (const search of ['', 'tag=a', 'tag=!b', 'tag=a&tag=!b']) {
      const { sql, parameters } = toSql(parseTagFilters(search), { table });
      const ids = (condition: string): number[] =>
        database
          .prepare(`SELECT id FROM resources WHERE ${condition} ORDER BY id`)
          .all(...parameters)
          .map(({ id }) => Number(id));
      const selected = ids(sql);
      expect(ids(`NOT ${sql}`)).toEqual([0, 1, 2].filter((id) => !selected.includes(id)));
      expect(ids(`id = 99 OR ${sql}`)).toEqual(selected);
      expect(ids(`${sql} AND id > 0`)).toEqual(selected.filter((id) => id > 0));
    }
  });

  it('checks only presence, even if a presence filter has other members', () => {
    const filter = { key: 'a', test: 'has', values: ['x'] } as const;
    fill([{ a: 'y' }]);
    expect(matches(createTagFilter(filter), { a: 'y' })).toBe(true);
    expect(select([createTagFilter(filter)], false)).toEqual([0]);
  });

  it('needs the folded columns only if case is ignored', () => {
    const { resource, key, value } = table.columns;
    const exact: TagTable = { ...table, columns: { resource, key, value } };
    const filters = parseTagFilters('tag=a=b');
    expect(toSql(filters, { table: exact })).toEqual(toSql(filters, { table }));
    expect(() => toSql(filters, { table: exact, caseInsensitive: true })).toThrow(
      'caseInsensitive needs the columns foldedKey and foldedValue',
    );
  });

  it('numbers parameters from firstParameter if the dialect has numbers, and names the schema', () => {
    const filters = parseTagFilters('tag=a=b&tag=c=d,e');
    const { sql } = toSql(filters, { table: { ...table, schema: 's' }, dialect: postgres, firstParameter: 3 });
    expect(sql.match(/\$\d/g)).toEqual(['$3', '$4', '$5', '$6']);
    expect(sql).toContain('FROM "s"."order ""of"" tags" AS');
  });

  it('refuses more parameters than a statement may have', () => {
    const [filter] = parseTagFilters('tag=a=b');
    const filters = (length: number): TagFilter[] => (filter ? Array<TagFilter>(length).fill(filter) : []);
    expect(toSql(filters(50), { table }).parameters).toHaveLength(100);
    expect(() => toSql(filters(51), { table })).toThrow(
      '51 filters take 102 parameters and 0 stand before them: more than 100',
    );
    expect(toSql(filters(49), { table, firstParameter: 3 }).parameters).toHaveLength(98);
    expect(() => toSql(filters(50), { table, firstParameter: 2 })).toThrow(
      '50 filters take 100 parameters and 1 stand before them: more than 100',
    );
  });
});
