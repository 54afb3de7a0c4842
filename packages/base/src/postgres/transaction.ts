import type { Connection } from './connection.ts';
import type { PostgresSession, PostgresValue } from './driver.ts';
import { DatabaseUnavailable, PostgresError } from './errors.ts';

interface TransactionOptions {
  readonly kind: 'read' | 'long' | undefined;
  /** Milliseconds that a statement may run or be awaited; undefined is unlimited. */
  readonly timeout: number | undefined;
}

/** Runs `work` in one transaction, as `PostgresDriver.transaction` says, but once. */
export async function runTransaction<T>(
  connection: Connection,
  work: (session: PostgresSession) => Promise<T>,
  { kind, timeout = 0 }: TransactionOptions,
): Promise<T> {
  const replies: Promise<void>[] = [];
  let failure: { readonly error: unknown } | undefined;
  const rows = <Row>(statement: string, parameters?: readonly PostgresValue[]): Promise<Row[]> => {
    // After a failed BEGIN, a statement would take effect by itself.
    const sent = failure === undefined ? connection.run(statement, parameters) : Promise.reject(failure.error);
    const reply = sent.then(([result]) => result?.rows as Row[]);
    // Remembers the first error, and handles the rejection of a statement that `work` does not await.
    replies.push(
      reply.then(
        () => {},
        (error: unknown) => void (failure ??= { error }),
      ),
    );
    return reply;
  };
  const demandNoFailure = (): void => {
    if (failure !== undefined) throw failure.error;
  };
  const characteristics = kind === 'read' ? 'REPEATABLE READ READ ONLY' : 'READ COMMITTED';
  void rows(
    `BEGIN ISOLATION LEVEL ${characteristics}; SET LOCAL statement_timeout = ${timeout};
     SET LOCAL idle_in_transaction_session_timeout = ${timeout}`,
  );
  let isCommitting = false;
  try {
    const result = await work({ rows });
    demandNoFailure();
    isCommitting = true;
    // A time limit that ends the wait for a synchronous replica would report success.
    await rows('SET LOCAL statement_timeout = 0; COMMIT');
    demandNoFailure();
    return result;
  } catch (error) {
    await Promise.all(replies);
    const cause = failure?.error ?? error;
    if (!connection.isLost) await connection.run('ROLLBACK').catch(() => {});
    else if (isCommitting && kind !== 'read' && !(cause instanceof PostgresError))
      throw new DatabaseUnavailable(cause instanceof DatabaseUnavailable ? cause.code : 'no reply', true);
    throw cause;
  }
}
