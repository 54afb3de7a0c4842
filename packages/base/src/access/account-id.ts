/** Regular expression source that a whole account id matches (REPO-038). */
export const accountIdForm = '[A-Za-z0-9_-]{1,64}';

const wholeId = new RegExp(`^${accountIdForm}$`);

/** Tests if a text has the form of an account id (REPO-038). */
export function isAccountId(text: string): boolean {
  return wholeId.test(text);
}

/** Tests if a value is the id of an account that this service serves (REPO-030). */
export function isServedAccount(id: unknown, accounts: 'any' | readonly string[]): id is string {
  return typeof id === 'string' && isAccountId(id) && (accounts === 'any' || accounts.includes(id));
}
