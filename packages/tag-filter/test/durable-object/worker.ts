import { foldCase, matches, parseTagFilters, type TagTable, toSql } from '../../src/index.ts';

/** Asks the object which resources match. */
export interface Question {
  /** Tags of each resource. */
  readonly resources: readonly Readonly<Record<string, string>>[];
  readonly search: string;
  readonly caseInsensitive: boolean;
}

/** Indexes of matching resources, by the object's SQL and by `matches`. */
export interface Answer {
  readonly selected: readonly number[];
  readonly accepted: readonly number[];
}

/** The part of a Durable Object's state that the test needs. */
interface State {
  readonly storage: {
    readonly sql: { exec(sql: string, ...parameters: (string | number)[]): { toArray(): Record<string, number>[] } };
  };
}

const table: TagTable = {
  name: 'tags',
  resource: 'resources.id',
  columns: { resource: 'resource', key: 'key', value: 'value', foldedKey: 'folded_key', foldedValue: 'folded_value' },
};

/** A Durable Object that stores tags in its SQL database. */
export class TagObject {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  async fetch(request: Request): Promise<Response> {
    const { resources, search, caseInsensitive } = (await request.json()) as Question;
    const { sql } = this.#state.storage;
    sql.exec(`
      DROP TABLE IF EXISTS resources;
      DROP TABLE IF EXISTS tags;
      CREATE TABLE resources (id INTEGER PRIMARY KEY);
      CREATE TABLE tags (
        resource INTEGER, key TEXT, value TEXT, folded_key TEXT, folded_value TEXT, PRIMARY KEY (resource, key)
      );
    `);
    resources.forEach((tags, id) => {
      sql.exec('INSERT INTO resources VALUES (?)', id);
      for (const [key, value] of Object.entries(tags)) {
        sql.exec('INSERT INTO tags VALUES (?, ?, ?, ?, ?)', id, key, value, foldCase(key), foldCase(value));
      }
    });
    const filters = parseTagFilters(search);
    const condition = toSql(filters, { table, caseInsensitive });
    const rows = sql.exec(`SELECT id FROM resources WHERE ${condition.sql} ORDER BY id`, ...condition.parameters);
    const answer: Answer = {
      selected: rows.toArray().map(({ id = -1 }) => id),
      accepted: resources.flatMap((tags, id) => (matches(filters, tags, { caseInsensitive }) ? [id] : [])),
    };
    return Response.json(answer);
  }
}

interface Environment {
  readonly TAGS: {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  };
}

/** The Worker that calls the object. The bundle makes it the default export. */
export const worker = {
  fetch: (request: Request, { TAGS }: Environment): Promise<Response> =>
    TAGS.get(TAGS.idFromName('tags')).fetch(request),
};
