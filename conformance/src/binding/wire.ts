/**
 * Values of JavaScript as JSON, between the suite and a probe. What JSON has not is an object with the member `$`, which
 * says what it is.
 */

/** A `Blob`: its bytes up to {@link shownMax}, else only their digest. */
export interface SentBlob {
  readonly $: 'blob';
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  readonly base64?: string;
}

/** What a call was rejected with. */
export interface SentError {
  /** Whether it is an instance of `Error`. */
  readonly isError: boolean;
  readonly name: string;
  readonly message: string;
  /** Its own enumerable members. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** A request of the suite to a probe. */
export interface ProbeRequest {
  readonly namespace: string;
  /** Id of the handle that is meant; absent: the binding. */
  readonly handle?: string;
  readonly act: 'call' | 'call then dispose' | 'dispose' | 'property';
  /** Of the method or member. */
  readonly name: string;
  readonly args: readonly unknown[];
}

/** What came of it. */
export interface ProbeReply {
  /** `thrown`: not by its promise, but by the call itself. */
  readonly outcome: 'resolved' | 'rejected' | 'thrown';
  /** Whether the call gave a promise. */
  readonly promise: boolean;
  /** Of what it resolved to; a handle is `{ "$": "handle", "id": ... }`. */
  readonly value?: unknown;
  /** Whether all of the value is plain objects, arrays, blobs and values of JSON. */
  readonly plain?: boolean;
  /** Whether `structuredClone` takes it. */
  readonly cloneable?: boolean;
  readonly error?: SentError;
}

/** Carries the secret. */
export const secretHeader = 'binding-probe-secret';

const shownMax = 1_048_576;
const depthMax = 32;

/** @throws if it is deeper than any result. */
export async function encodeValue(value: unknown, depth: number = 0): Promise<unknown> {
  if (depth > depthMax) throw new Error('a value is too deep');
  if (value === undefined) return { $: 'undefined' };
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : { $: 'number', text: String(value) };
  if (typeof value !== 'object') return { $: typeof value };
  if (value instanceof Blob) return await encodeBlob(value);
  if (Array.isArray(value)) return await Promise.all(value.map((item) => encodeValue(item, depth + 1)));
  const members = Object.entries(value).map(async ([name, member]) => [name, await encodeValue(member, depth + 1)]);
  return Object.fromEntries(await Promise.all(members)) as unknown;
}

async function encodeBlob(blob: Blob): Promise<SentBlob> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const facts = { $: 'blob', type: blob.type, size: blob.size, sha256 } as const;
  if (bytes.length > shownMax) return facts;
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { ...facts, base64: btoa(text) };
}

/** Reads what {@link encodeValue} wrote. A blob becomes what is known of it. */
export function decodeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => decodeValue(item));
  if (typeof value !== 'object' || value === null) return value;
  const { $: kind, ...members } = value as { readonly $?: unknown } & Readonly<Record<string, unknown>>;
  if (kind === undefined) {
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, decodeValue(member)]));
  }
  if (kind === 'undefined') return undefined;
  if (kind === 'number') return Number(members['text']);
  if (kind === 'blob') {
    const { base64, ...facts } = members;
    if (typeof base64 !== 'string') return facts;
    return { ...facts, bytes: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)) };
  }
  return value;
}

/** Whether a value is made of plain objects, arrays, blobs and values of JSON alone. */
export function isPlain(value: unknown, depth: number = 0): boolean {
  if (value === null || ['undefined', 'boolean', 'number', 'string'].includes(typeof value)) return true;
  if (typeof value !== 'object' || depth > depthMax) return false;
  if (value instanceof Blob) return true;
  const form: unknown = Object.getPrototypeOf(value);
  if (form !== (Array.isArray(value) ? Array.prototype : Object.prototype)) return false;
  return Object.values(value).every((member) => isPlain(member, depth + 1));
}
