/** Returns the URL of a database without user, password and options, for people. */
export function withoutSecrets(database: string): string {
  const { host, pathname } = new URL(database);
  return `postgres://${host}${pathname}`;
}
