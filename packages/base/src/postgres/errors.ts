import { StorageUnavailable } from '../errors/storage-unavailable.ts';

/** The database cannot be reached, is overloaded, or ended the connection. A later try may succeed. */
export class DatabaseUnavailable extends StorageUnavailable {
  override readonly name = 'DatabaseUnavailable';
  /** SQLSTATE, or code of the operating system, such as `ECONNREFUSED`. */
  readonly code: string;
  /** True if a change was sent whose reply is missing: it is in the database as a whole, or not at all. */
  readonly mayHaveChanged: boolean;

  constructor(code: string, mayHaveChanged: boolean) {
    // The message of the driver may name the host and the user.
    super(`The database is unavailable (${code})`);
    this.code = code;
    this.mayHaveChanged = mayHaveChanged;
  }
}

/** The database refused a statement. Messages that may hold values are left out. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  /** SQLSTATE, such as 23505 for a unique index. */
  readonly code: string;
  /** Name of the violated constraint or unique index, if it was one. */
  readonly constraint: string | undefined;

  constructor(code: string, constraint: string | undefined, message: string) {
    // Class 42 is about the text of the statement, so it names tables and columns at most.
    const reason = constraint ?? (code.startsWith('42') ? message : undefined);
    super(`The database refused a statement (${code}${reason === undefined ? '' : `: ${reason}`})`);
    this.code = code;
    this.constraint = constraint;
  }
}

/** Serialization failure and deadlock: the transaction had no effect and may succeed when repeated. */
export function isConflict(code: string): boolean {
  return code === '40001' || code === '40P01';
}

/**
 * Returns true for SQLSTATEs that say nothing about the statement: connection (08), its user (28) and database (3D),
 * resources (53), the operator (57, with a cancelled or timed out statement), a standby (25006), a time limit of the
 * transaction (25P03, 25P04, 55P03).
 */
export function isOutage(code: string): boolean {
  return /^(08|28|3D|53|57)/.test(code) || ['25006', '25P03', '25P04', '55P03'].includes(code);
}
