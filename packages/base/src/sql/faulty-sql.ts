import type { SqlDriver } from './driver.ts';

/** A step of a driver that can fail: a statement, or the commit of a transaction that writes. */
export interface SqlStep {
  /** Counted from 0. */
  readonly index: number;
  readonly kind: 'all' | 'run' | 'commit';
}

/**
 * - `fail`: throws without effect. `fail late`: throws after its effect.
 * - `power cut`: throws without effect, and every later step throws.
 * - `late power cut`: the same, but this step takes effect.
 */
export type SqlFault = 'fail' | 'fail late' | 'power cut' | 'late power cut';

/** Code and message that SQLite derives from an error of the system. */
const sqliteErrors = {
  ENOSPC: [13, 'database or disk is full'],
  EIO: [10, 'disk I/O error'],
  EMFILE: [14, 'unable to open database file'],
} as const;

/** Error of the system that a faulty driver simulates. */
export type SqlFaultCode = keyof typeof sqliteErrors;

/** The error of a faulty driver, in the form of `node:sqlite`. */
export class SqlFaultError extends Error {
  override readonly name = 'SqlFaultError';
  readonly code = 'ERR_SQLITE_ERROR';
  readonly errcode: number;

  constructor(code: SqlFaultCode) {
    const [errcode, message] = sqliteErrors[code];
    super(message);
    this.errcode = errcode;
  }
}

/**
 * Wraps a driver so that chosen steps fail with the SQLite error for `code` (default `ENOSPC`). Rollbacks reach the
 * database and never fail. It calls `fault` before each step.
 */
export function faultySql(
  driver: SqlDriver,
  fault: (step: SqlStep) => SqlFault | undefined,
  code: SqlFaultCode = 'ENOSPC',
): SqlDriver {
  let steps = 0;
  let depth = 0;
  let isDead = false;
  /** Starts a step. Returns if it fails `before` or `after` its effect, or `undefined` if it succeeds. */
  const begin = (kind: SqlStep['kind']): 'before' | 'after' | undefined => {
    if (isDead) throw new SqlFaultError(code);
    const found = fault({ index: steps++, kind });
    isDead = found === 'power cut' || found === 'late power cut';
    if (found === undefined) return undefined;
    return found === 'fail' || found === 'power cut' ? 'before' : 'after';
  };
  const statement = <T>(kind: 'all' | 'run', work: () => T): T => {
    const failing = begin(kind);
    if (failing === 'before') throw new SqlFaultError(code);
    const result = work();
    if (failing === 'after') throw new SqlFaultError(code);
    return result;
  };
  return {
    all: (text, ...parameters) => statement('all', () => driver.all(text, ...parameters)),
    run: (text, ...parameters) => statement('run', () => driver.run(text, ...parameters)),
    transaction(work, kind) {
      if (isDead) throw new SqlFaultError(code);
      if (depth > 0 || kind === 'read') return driver.transaction(work, kind);
      let failing: 'before' | 'after' | undefined;
      const result = driver.transaction(() => {
        depth += 1;
        try {
          const done = work();
          failing = begin('commit');
          if (failing === 'before') throw new SqlFaultError(code);
          return done;
        } finally {
          depth -= 1;
        }
      }, kind);
      if (failing === 'after') throw new SqlFaultError(code);
      return result;
    },
    durable: () => driver.durable(),
  };
}
