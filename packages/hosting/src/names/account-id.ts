/** Whether a text may name an account (REPO-038). */
export function isAccountId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}
