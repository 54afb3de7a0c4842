import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresDriver } from '@packhouse/base';
import { CliError } from '@packhouse/command';

/** Milliseconds in which connections that their client has closed, such as the command before, end in the database. */
const patience = 3_000;

/**
 * Demands that no other client of this user is connected to the database, as a server would be.
 *
 * @throws {CliError} kind `start`.
 */
export async function demandUnused(postgres: PostgresDriver): Promise<void> {
  for (const end = Date.now() + patience; ; await wait(100)) {
    const [row] = await postgres.rows<{ others: number }>(
      `SELECT count(*) AS others FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
         AND backend_type = 'client backend'`,
    );
    if (row?.others === 0) return;
    if (Date.now() < end) continue;
    throw new CliError(
      'start',
      `The database is in use. Other open connections: ${row?.others ?? 'unknown'}.`,
      'Stop all servers that use it, PgBouncer, and other clients such as psql. Name PostgreSQL itself in the URL.',
    );
  }
}
