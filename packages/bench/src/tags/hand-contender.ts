import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { resourceText, summaryText, type PageStart, type TagContender } from './contender.ts';
import { distinctByHand, handQueries } from './hand-queries.ts';
import type { ResourceList, TextList } from './lists.ts';
import { account, type SampleResource } from './sample-resources.ts';
import { pageSize } from './store-contender.ts';

/** Hand-written queries on a separate connection. */
export interface HandContender extends TagContender {
  close(): void;
}

interface HandResource {
  /** Type, zone, parent and id. */
  readonly place: readonly string[];
  readonly name: string;
  readonly updatedAt: number;
  readonly tags: Record<string, string>;
}

interface RecordRow {
  readonly record: number;
  readonly place: Uint8Array;
  readonly name: string;
  readonly updated_at: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const placeBytes = (start: PageStart['after'] | undefined): Uint8Array => {
  if (typeof start !== 'object') return encoder.encode('');
  const { type, zone, parent, id } = start;
  return encoder.encode([type, zone ?? '', parent ?? '', id].join('\0'));
};

/** Uses `node:sqlite` on the file of the store. Statements are prepared once and tailored to the list. */
export const handContender = (file: string): HandContender => {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = FULL');
  const [row] = database.prepare('SELECT id FROM tag_accounts WHERE account = ?').all(account);
  const number = row?.['id'] as number;
  const entries = database.prepare(
    'SELECT record, key, value FROM tag_entries WHERE record IN (SELECT value FROM json_each(?))',
  );

  const filled = (rows: readonly RecordRow[]): HandResource[] => {
    const found = new Map<number, HandResource>();
    for (const { record, place, name, updated_at } of rows)
      found.set(record, { place: decoder.decode(place).split('\0'), name, updatedAt: updated_at, tags: {} });
    for (const { record, key, value } of entries.all(JSON.stringify([...found.keys()]))) {
      const resource = found.get(record as number);
      if (resource !== undefined) resource.tags[key as string] = value as string;
    }
    return [...found.values()];
  };

  const resources = ({ query }: ResourceList, after: PageStart['after'] | undefined) => {
    const byHand = handQueries[query];
    if (byHand === undefined) throw new Error(`Nobody wrote ${query} by hand`);
    const { from, place } = byHand;
    const statement = database.prepare(
      `SELECT r.record, r.place, r.name, r.updated_at ${from} AND ${place} > ?2 ORDER BY ${place} LIMIT ${pageSize + 1}`,
    );
    const start = placeBytes(after);
    return async () => filled((statement.all(number, start) as unknown as RecordRow[]).slice(0, pageSize));
  };

  const texts = (column: 'key' | 'value', fromStart: boolean, limit: number) => {
    const statement = database.prepare(distinctByHand(column, fromStart, limit));
    return (...parameters: readonly SQLInputValue[]): string[] =>
      statement.all(number, ...parameters).map(({ text }) => text as string);
  };

  const texted = ({ kind, key }: TextList, after: string | undefined): (() => Promise<unknown>) => {
    const [fromStart, start] = [after === undefined, after ?? ''];
    if (kind === 'values') {
      const values = texts('value', fromStart, pageSize + 1);
      return async () => values(start, key).slice(0, pageSize);
    }
    const keys = texts('key', fromStart, pageSize + 1);
    if (kind === 'keys') return async () => keys(start).slice(0, pageSize);
    const allValues = texts('value', true, -1);
    return async () =>
      keys(start)
        .slice(0, pageSize)
        .map((each) => ({ key: each, values: allValues('', each) }));
  };

  const recordOf = database.prepare(
    'SELECT record, place, name, updated_at FROM tag_records WHERE account = ? AND place = ?',
  );
  return {
    name: 'by hand',
    page: (list, start) =>
      list.kind === 'resources' ? resources(list, start?.after) : texted(list, start?.after as string | undefined),

    async read({ kind }, page) {
      if (kind === 'resources') {
        return (page as readonly HandResource[]).map(({ place: [type = '', zone, , id = ''], name, tags }) =>
          resourceText({ type, zone: zone === '' ? null : (zone ?? null), id }, name, tags),
        );
      }
      return kind === 'summary'
        ? (page as Parameters<typeof summaryText>[0][]).map(summaryText)
        : (page as readonly string[]);
    },

    get({ resource }) {
      const place = placeBytes(resource);
      return async () => filled(recordOf.all(number, place) as unknown as RecordRow[])[0];
    },

    set: (sample) => setByHand(database, number, sample),

    close: () => database.close(),
  };
};

/** Does the minimal work to write one changed tag: it knows the row and the change. */
const setByHand = (database: DatabaseSync, number: number, { resource }: SampleResource): (() => Promise<unknown>) => {
  const [row] = database
    .prepare('SELECT record FROM tag_records WHERE account = ? AND place = ?')
    .all(number, placeBytes(resource));
  const record = row?.['record'] as number;
  const times = database.prepare('UPDATE tag_records SET updated_at = updated_at + 1 WHERE record = ?');
  const values = database.prepare(
    "UPDATE tag_entries SET value = ?, folded_value = ? WHERE record = ? AND key = 'release'",
  );
  let turn = 0;
  return async () => {
    const value = String(turn++);
    database.exec('BEGIN IMMEDIATE');
    times.run(record);
    values.run(value, value, record);
    database.exec('COMMIT');
  };
};
