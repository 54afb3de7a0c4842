/** Source of the expression that an account id matches as a whole (REPO-038). */
export const accountIdForm = '[A-Za-z0-9_-]{1,64}';

const wholeId = new RegExp(`^${accountIdForm}$`);

/** Whether a text may name an account (REPO-038). */
export function isAccountId(text: string): boolean {
  return wholeId.test(text);
}

/** Whether a value is the id of an account that is served (REPO-030). */
export function isServedAccount(id: unknown, accounts: 'any' | readonly string[]): id is string {
  return typeof id === 'string' && isAccountId(id) && (accounts === 'any' || accounts.includes(id));
}
