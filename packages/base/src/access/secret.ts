/**
 * The secret of a token as presented, whole or alone: what stands before `?`, written plainly or percent-encoded
 * (GIT-020, GIT-021). Any form is let through, since the store alone knows which tokens exist (REPO-028). What
 * follows is not looked at (TOKEN-004). `undefined` if nothing is left.
 */
export function secretOf(presented: string): string | undefined {
  const end = presented.search(/\?|%3f/i);
  const secret = end < 0 ? presented : presented.slice(0, end);
  return secret === '' ? undefined : secret;
}

/** SHA-256 of a secret, 64 lower-case hexadecimal digits: the only form in which it is kept or looked up (TOKEN-003, TOKEN-014). */
export async function hashSecret(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
