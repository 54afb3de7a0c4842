/**
 * The headers that go with a message (REPO-200, Standard Webhooks): it is signed once with each key, so that a receiver
 * who knows any of them can check it.
 *
 * @param seconds when it is sent, since 1970.
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

/** A key to sign with. */
export function webhookKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
