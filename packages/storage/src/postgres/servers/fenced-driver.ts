import type { PostgresDriver, PostgresSession, PostgresValue } from '@packhouse/base';
import { LeaseLostError } from '@packhouse/hosting';

/**
 * Returns a driver whose every change first tests, in its transaction, that a lease still has this fencing number. The
 * test locks the row of the lease, so another server takes the lease after the change, or before the test.
 */
export function fencedDriver(driver: PostgresDriver, key: string, fence: number): PostgresDriver {
  const change = <T>(work: (session: PostgresSession) => Promise<T>, kind?: 'long'): Promise<T> =>
    driver.transaction(async (session) => {
      const test = session.rows('SELECT FROM packhouse.leases WHERE key = $1 AND fence = $2 FOR SHARE', [key, fence]);
      // The statements of the work go out behind the test, in the same round trip.
      const [held, result] = await Promise.all([test, work(session)]);
      if (held.length === 0) throw new LeaseLostError();
      return result;
    }, kind);
  return {
    rows: <Row>(statement: string, parameters?: readonly PostgresValue[]) =>
      /^\s*SELECT\b/i.test(statement)
        ? driver.rows<Row>(statement, parameters)
        : change((session) => session.rows<Row>(statement, parameters)),
    transaction: (work, kind) => (kind === 'read' ? driver.transaction(work, kind) : change(work, kind)),
    close: () => driver.close(),
  };
}
