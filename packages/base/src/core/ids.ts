/** Source of all unpredictable values. */
export interface Ids {
  /** Id of a repo or token: 16 characters of `[0-9a-z]` (REPO-047). */
  id(): string;
  /** 160 random bits as 40 lower-case hexadecimal digits (TOKEN-002). */
  secret(): string;
  /** The random part of a request id: 16 lower-case hexadecimal digits (REPO-007). */
  requestId(): string;
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * Bytes of this value and above are dropped. It is the largest multiple of 36 in a byte, so no character is favoured.
 */
const unbiased = 252;

/** Ids from the cryptographic random source of the runtime. */
export const randomIds: Ids = {
  id() {
    let id = '';
    while (id.length < 16) {
      for (const byte of crypto.getRandomValues(new Uint8Array(24))) {
        if (byte < unbiased && id.length < 16) id += alphabet[byte % alphabet.length];
      }
    }
    return id;
  },
  secret: () => randomHex(20),
  requestId: () => randomHex(8),
};

function randomHex(bytes: number): string {
  let text = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) text += byte.toString(16).padStart(2, '0');
  return text;
}
