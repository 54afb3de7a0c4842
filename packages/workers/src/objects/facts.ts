import { migrate, type Migration, type SqlDriver } from '@packhouse/base';

const migrations: readonly Migration[] = [
  {
    name: 'facts',
    statements: ['CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID'],
  },
];

/** What an object knows of itself: told by the first call that writes, and needed by its alarm, which nobody tells. */
export class Facts<Name extends string> {
  readonly #driver: SqlDriver;

  constructor(driver: SqlDriver) {
    this.#driver = driver;
  }

  prepare(): void {
    migrate(this.#driver, 'facts', migrations);
  }

  get(name: Name): string | undefined {
    return this.#driver.all<{ value: string }>('SELECT value FROM facts WHERE name = ?', name)[0]?.value;
  }

  /** What was told first stays. */
  note(name: Name, value: string): void {
    this.#driver.run('INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING', name, value);
  }
}
