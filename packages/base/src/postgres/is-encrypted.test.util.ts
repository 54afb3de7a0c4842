/** A program for any runtime: connects to the URLs of its arguments, and prints which connections are encrypted. */

import { openNodePostgres } from './node-postgres.ts';

/** Returns the text of the error if it cannot connect. */
async function isEncrypted(url: string): Promise<boolean | string | undefined> {
  const driver = openNodePostgres(url, { connectTimeout: 30_000 });
  try {
    const [row] = await driver.rows<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    return row?.ssl;
  } catch (error) {
    return String(error);
  } finally {
    await driver.close();
  }
}

console.log(JSON.stringify(await Promise.all(process.argv.slice(2).map(isEncrypted))));
