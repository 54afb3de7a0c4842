import { HostingError } from '@packhouse/base';
import type { Codec, KeyedResult, MadeCommit, ObjectId, Sha1 } from '@packhouse/git';
import { isHighSurrogate } from './json-reader.ts';
import { SentContent } from './sent-content.ts';

/** The key of a request for a commit, with a digest of its body (REPO-259). */
export interface RequestKey {
  /** Hash of the key, as the state stores it. */
  readonly key: string;
  readonly digest: string;
}

const encoder = new TextEncoder();
const textPiece = 64 * 1024;

/** Tests if a key is one that LIM-039 allows. */
export function isIdempotencyKey(key: unknown): key is string {
  return typeof key === 'string' && /^[!-~]{1,255}$/.test(key);
}

/** Returns the hash of a key. */
export function hashOfKey(codec: Codec, key: string): string {
  return hex(codec.sha1Of(encoder.encode(key)));
}

/**
 * The digest of a body that arrives in parts. It counts the body before its validation, since defaults such as the time
 * change. The order of members does not count.
 */
export class BodyDigest {
  readonly #codec: Codec;
  readonly #members = new Map<string, string>();
  readonly #items: Sha1;
  #count = 0;

  constructor(codec: Codec) {
    this.#codec = codec;
    this.#items = codec.sha1();
  }

  /** Adds a member of the body. */
  member(name: string, value: unknown): void {
    const sha1 = this.#codec.sha1();
    hashValue(value, (bytes) => sha1.update(bytes));
    this.#members.set(name, hex(sha1.digest()));
  }

  /** Adds an item of the list of changes. */
  change(value: unknown): void {
    this.#count += 1;
    hashValue(value, (bytes) => this.#items.update(bytes));
  }

  /** Ends the list of changes. */
  endChanges(): void {
    this.#members.set('changes', `${this.#count} ${hex(this.#items.digest())}`);
  }

  digest(): string {
    const sha1 = this.#codec.sha1();
    hashValue(Object.fromEntries(this.#members), (bytes) => sha1.update(bytes));
    return hex(sha1.digest());
  }
}

/** Makes the record of a commit. */
export function keyedCommit({ key, digest }: RequestKey, made: MadeCommit): KeyedResult {
  return { key, result: JSON.stringify({ digest, ...made }) };
}

/**
 * Returns the commit that a request with the same key made before.
 *
 * @throws {HostingError} `idempotencyKeyReused` if it had another body.
 */
export function commitOfResult({ digest }: RequestKey, result: string): MadeCommit {
  const recorded = JSON.parse(result) as MadeCommit & { readonly digest: string };
  if (recorded.digest !== digest) throw new HostingError('idempotencyKeyReused');
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
    } else if (value instanceof SentContent) {
      note(`t${value.size}:`);
      for (const piece of value.pieces()) update(piece);
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

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
