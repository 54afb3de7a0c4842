/** Prefix of the base64 of a secret (Standard Webhooks, "Symmetric"). */
const prefix = 'whsec_';
/** Bytes of a key (Standard Webhooks). */
const keyBytes = { least: 24, most: 64 };

/** Returns the key in a secret such as `whsec_...`; undefined unless it is base64 of 24 to 64 bytes (REPO-200). */
export function parseWebhookSecret(secret: string): Uint8Array<ArrayBuffer> | undefined {
  if (!secret.startsWith(prefix)) return undefined;
  const encoded = secret.slice(prefix.length);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(encoded)) return undefined;
  const key = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  return key.length >= keyBytes.least && key.length <= keyBytes.most ? key : undefined;
}
