import { Fields, HostingError, repoErrors } from '@packhouse/base';
import type { Codec, KeyedResult, MadeCommit, ObjectId } from '@packhouse/git';

/** The key of a request for a commit, with a digest of its body (REPO-259). */
export interface RequestKey {
  /** Hash of the key, as the state stores it. */
  readonly key: string;
  readonly digest: string;
}

const encoder = new TextEncoder();
const textPiece = 64 * 1024;

/**
 * Reads the key of a request. `body` is the body before it was validated, since defaults such as the time change.
 *
 * @throws {HostingError} for a key that LIM-039 forbids.
 */
export function requestKey(codec: Codec, key: unknown, body: unknown): RequestKey {
  if (typeof key !== 'string' || !/^[!-~]{1,255}$/.test(key)) {
    const fields = new Fields({});
    fields.fail('idempotency_key', 'Invalid idempotency key: expected 1 to 255 visible ASCII characters');
    fields.check();
  }
  const sha1 = codec.sha1();
  hashValue(body, (bytes) => sha1.update(bytes));
  return { key: hex(codec.sha1Of(encoder.encode(String(key)))), digest: hex(sha1.digest()) };
}

/** Makes the record of a commit. */
export function keyedCommit({ key, digest }: RequestKey, made: MadeCommit): KeyedResult {
  return { key, result: JSON.stringify({ digest, ...made }) };
}

/**
 * Returns the commit that a request with the same key made before.
 *
 * @throws {HostingError} `refRefused` if it had another body.
 */
export function commitOfResult({ digest }: RequestKey, result: string): MadeCommit {
  const recorded = JSON.parse(result) as MadeCommit & { readonly digest: string };
  if (recorded.digest !== digest) {
    const text = `${repoErrors.refRefused.message}: the idempotency key was used for another commit`;
    throw new HostingError('refRefused', { text });
  }
  const { commit, tree, before, old } = recorded;
  return { commit, tree, before, old } satisfies Record<keyof MadeCommit, ObjectId | null>;
}

/**
 * Feeds a value of JSON, or with bytes, so that equal values and no others give equal bytes. Never copies it whole, and
 * does not recurse, since a body may nest deeply.
 */
function hashValue(root: unknown, update: (bytes: Uint8Array) => void): void {
  const note = (text: string): void => update(encoder.encode(text));
  /** The values that are left to feed, of each list or object that is not at its end. */
  const open: Iterator<unknown>[] = [[root].values()];
  for (let innermost = open.at(-1); innermost !== undefined; innermost = open.at(-1)) {
    const { done, value }: IteratorResult<unknown, unknown> = innermost.next();
    if (done === true) open.pop();
    else if (typeof value === 'string') {
      note(`s${value.length}:`);
      for (let at = 0, end = 0; at < value.length; at = end) {
        end = at + textPiece;
        if (isHighSurrogate(value.charCodeAt(end - 1))) end -= 1;
        note(value.slice(at, end));
      }
    } else if (value instanceof Uint8Array) {
      note(`b${value.length}:`);
      update(value);
    } else if (Array.isArray(value)) {
      note(`a${value.length}:`);
      open.push(value.values());
    } else if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).filter(([, member]) => member !== undefined);
      note(`o${members.length}:`);
      open.push(
        members
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .flat()
          .values(),
      );
    } else note(`${typeof value} ${String(value)};`);
  }
}

/** Tests for the first half of a pair, which must not be encoded without the second. */
function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
