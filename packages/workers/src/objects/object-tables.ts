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
  /** Migrations by the names that {@link migrate} records. */
  readonly migrations: Readonly<Record<string, readonly Migration[]>>;
  /** Called once per instance, when the tables are ready. */
  readonly prepared?: () => void;
}

/**
 * The database of an object with its schedule. The first call that writes makes the tables, so an object that was only
 * read stores nothing.
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

  /** Creates or upgrades the tables. Idempotent. */
  async prepare(): Promise<void> {
    if (this.#exist) return;
    for (const [name, migrations] of Object.entries(this.#options.migrations)) migrate(this.driver, name, migrations);
    migrate(this.driver, 'facts', factMigrations);
    this.#exist = true;
    await this.schedule.prepare();
    this.#options.prepared?.();
  }

  /** Deletes all data of the object, including its alarm. */
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

  /** Returns a stored fact about the object. Its alarm needs facts because it has no caller that names the place. */
  fact(name: Fact): string | undefined {
    return this.driver.all<{ value: string }>('SELECT value FROM facts WHERE name = ?', name)[0]?.value;
  }

  /** Stores a fact, unless it has a value already. */
  noteFact(name: Fact, value: string): void {
    this.driver.run('INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING', name, value);
  }
}
