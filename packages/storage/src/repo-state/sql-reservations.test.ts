import { testReservations } from '../contract/reservations.ts';
import { limitedDriver } from '../sql/limited-driver.ts';
import { migrate } from '../sql/migrate.ts';
import { openNodeSqlite } from '../sql/node-sqlite.ts';
import { repoStateMigrations } from './schema.ts';
import { sqlPackReservations } from './sql-reservations.ts';
import { sqlRepoState } from './sql.ts';

testReservations('SQLite in memory, within the limits of Durable Objects', () => {
  const database = openNodeSqlite(':memory:');
  const driver = limitedDriver(database);
  migrate(driver, 'repo-state', repoStateMigrations);
  return {
    open: (id) => ({ state: sqlRepoState(driver, id), reservations: sqlPackReservations(driver, id) }),
    close: () => database.close(),
  };
});
