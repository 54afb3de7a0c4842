import { hashSecret, type Ids } from '@packhouse/base';
import { apiTokenPrefix } from '../dialect/token-form.ts';

const form = new RegExp(`^${apiTokenPrefix}[0-9a-f]{48}$`);
const checksumLength = 8;

/** Makes a secret: the prefix, 160 random bits, and a checksum, in hexadecimal. */
export async function mintApiSecret(ids: Ids): Promise<string> {
  const body = `${apiTokenPrefix}${ids.secret()}`;
  return body + (await checksumOf(body));
}

/** Tests form and checksum, so that a mistyped or guessed token costs no look-up. */
export async function isApiSecret(text: string): Promise<boolean> {
  return form.test(text) && text.slice(-checksumLength) === (await checksumOf(text.slice(0, -checksumLength)));
}

/** The first digits of the SHA-256. */
async function checksumOf(body: string): Promise<string> {
  return (await hashSecret(body)).slice(0, checksumLength);
}
