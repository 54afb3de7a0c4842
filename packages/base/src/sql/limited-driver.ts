import type { SqlDriver, SqlValue } from './driver.ts';

/** Limits of Durable Object SQL (docs/design/workers.md, Limits). */
const parametersMax = 100;
const statementMax = 100_000;
const valueMax = 2_000_000;

/**
 * Passes on only statements that Durable Object SQL accepts, for tests of adapters on machines without it.
 *
 * @throws {RangeError} from `all` and `run` for more than 100 parameters, statements above 100 KB, values above 2 MB in
 * either direction, transactions begun by hand, and PRAGMAs.
 */
export function limitedDriver(driver: SqlDriver): SqlDriver {
  return {
    all<Row>(statement: string, ...parameters: readonly SqlValue[]): Row[] {
      checkStatement(statement, parameters);
      const rows = driver.all<Row>(statement, ...parameters);
      for (const row of rows) for (const value of Object.values(row as object)) checkValue(value);
      return rows;
    },
    run(statement, ...parameters) {
      checkStatement(statement, parameters);
      return driver.run(statement, ...parameters);
    },
    transaction: (work, kind) => driver.transaction(work, kind),
    durable: () => driver.durable(),
  };
}

function checkStatement(statement: string, parameters: readonly SqlValue[]): void {
  if (parameters.length > parametersMax) throw new RangeError(`Too many parameters: ${parameters.length}`);
  if (statement.length > statementMax) throw new RangeError(`The statement is too long: ${statement.length}`);
  if (/^\s*(BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|ATTACH|VACUUM)\b/i.test(statement)) {
    throw new RangeError(`Not a statement for a Durable Object: ${statement.slice(0, 40)}`);
  }
  for (const parameter of parameters) checkValue(parameter);
}

function checkValue(value: unknown): void {
  const size =
    typeof value === 'string' ? new TextEncoder().encode(value).length : value instanceof Uint8Array ? value.length : 0;
  if (size > valueMax) throw new RangeError(`The value is too large: ${size} bytes`);
}
