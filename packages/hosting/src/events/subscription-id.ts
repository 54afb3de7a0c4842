const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** The id of what listens for an account: 16 characters of `[0-9a-z]`, the same as long as it is one place. */
export async function subscriptionId(account: string, target: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify([account, target])));
  return [...new Uint8Array(digest).subarray(0, 16)].map((byte) => alphabet[byte % alphabet.length]).join('');
}
