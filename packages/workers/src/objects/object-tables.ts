import { migrate, type Migration, type SqlDriver } from '@packhouse/base';
import { durableObjectSql } from '@packhouse/base/durable-object';
import { neverThrowing, Schedule } from './schedule.ts';

const factMigrations: readonly Migration[] = [
  {
    name: 'facts',
    statements: ['CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID'],
  },
];

export interface ObjectTablesOptions {
  readonly context: DurableObjectState;
  /** By the names that {@link migrate} records them under. */
  readonly migrations: Readonly<Record<string, readonly Migration[]>>;
  /** Called when the tables are ready, once in the life of an instance. */
  readonly prepared?: () => void;
}

/**
 * The database of an object with its schedule. The first call that writes makes the tables, so an object that only
 * answers questions stores nothing.
 */
export class ObjectTables<Step extends string, Fact extends string> {
  readonly driver: SqlDriver;
  readonly schedule: Schedule<Step>;
  readonly #options: ObjectTablesOptions;
  #exist = false;

  constructor(options: ObjectTablesOptions) {
    const { context } = options;
    this.#options = options;
    this.driver = durableObjectSql(context.storage);
    this.schedule = new Schedule(context.storage, this.driver);
    void context.blockConcurrencyWhile(async () => {
      const found = this.driver.all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'");
      if (found.length > 0) await this.prepare();
    });
  }

  get exist(): boolean {
    return this.#exist;
  }

  /** Makes or upgrades the tables. Idempotent. */
  async prepare(): Promise<void> {
    if (this.#exist) return;
    for (const [name, migrations] of Object.entries(this.#options.migrations)) migrate(this.driver, name, migrations);
    migrate(this.driver, 'facts', factMigrations);
    this.#exist = true;
    await this.schedule.prepare();
    this.#options.prepared?.();
  }

  /** Deletes everything that the object stores, its alarm included. */
  async deleteAll(): Promise<void> {
    this.#exist = false;
    await this.#options.context.storage.deleteAll();
  }

  /** Runs the work of an alarm, if there are tables. Never rejects. */
  async onAlarm(work: () => Promise<void>): Promise<void> {
    await neverThrowing(this.#options.context.storage, async () => {
      if (this.#exist) await work();
    });
  }

  /** What the object knows of itself, for its alarm, which has no caller. */
  fact(name: Fact): string | undefined {
    return this.driver.all<{ value: string }>('SELECT value FROM facts WHERE name = ?', name)[0]?.value;
  }

  /** Notes a fact. The first value stays. */
  noteFact(name: Fact, value: string): void {
    this.driver.run('INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING', name, value);
  }
}
