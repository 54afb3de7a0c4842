/**
 * Makes the headers of a message (REPO-200, Standard Webhooks). Each key signs it once, so that a receiver can verify
 * it with any of the keys.
 *
 * @param seconds time of sending, in seconds since 1970.
 */
export async function webhookHeaders(
  keys: readonly CryptoKey[],
  id: string,
  seconds: number,
  body: string,
): Promise<Readonly<Record<string, string>>> {
  const signed = new TextEncoder().encode(`${id}.${seconds}.${body}`);
  const signatures = await Promise.all(keys.map((key) => crypto.subtle.sign('HMAC', key, signed)));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.map((bytes) => `v1,${base64(new Uint8Array(bytes))}`).join(' '),
  };
}

/** Imports the bytes of a secret as a key for HMAC-SHA-256. */
export function webhookKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
