/**
 * Extracts the secret from a presented token: the part before `?`, plain or percent-encoded (GIT-020, GIT-021). Accepts
 * any form, since only the store knows which tokens exist (REPO-028). Ignores the part after `?` (TOKEN-004).
 *
 * @returns `undefined` if the secret is empty.
 */
export function secretOf(presented: string): string | undefined {
  const end = presented.search(/\?|%3f/i);
  const secret = end < 0 ? presented : presented.slice(0, end);
  return secret === '' ? undefined : secret;
}

/**
 * Hashes a secret with SHA-256 to 64 lower-case hexadecimal digits. Secrets are stored and looked up only in this form
 * (TOKEN-003, TOKEN-014).
 */
export async function hashSecret(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
