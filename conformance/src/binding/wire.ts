/**
 * JavaScript values as JSON, between the suite and a probe. A value without a JSON form becomes an object whose member
 * `$` names its type.
 */

/** A `Blob`: its digest, and its bytes up to {@link shownMax}. */
export interface SentBlob {
  readonly $: 'blob';
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  readonly base64?: string;
}

/** A stream of bytes, read to its end. */
interface SentStream {
  readonly $: 'stream';
  readonly base64: string;
}

/** The error that a call rejected with. */
export interface SentError {
  /** True if it is an instance of `Error`. */
  readonly isError: boolean;
  readonly name: string;
  readonly message: string;
  /** Its own enumerable members. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** A request of the suite to a probe. */
export interface ProbeRequest {
  readonly namespace: string;
  /** The id of the handle; absent for the binding itself. */
  readonly handle?: string;
  readonly act: 'call' | 'call then dispose' | 'dispose' | 'property';
  /** The name of the method or member. */
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The outcome of a call. */
export interface ProbeReply {
  /** `thrown`: the call itself threw, and returned no promise. */
  readonly outcome: 'resolved' | 'rejected' | 'thrown';
  /** True if the call returned a promise. */
  readonly promise: boolean;
  /** The resolved value. A handle is `{ "$": "handle", "id": ... }`. */
  readonly value?: unknown;
  /** True if the value consists of plain objects, arrays, blobs, streams and JSON values. */
  readonly plain?: boolean;
  /** True if `structuredClone` accepts the value, or a stream. */
  readonly cloneable?: boolean;
  readonly error?: SentError;
}

/** The request header with the secret. */
export const secretHeader = 'binding-probe-secret';

const shownMax = 1_048_576;
const depthMax = 32;

/**
 * Encodes a value.
 *
 * @throws if it is nested deeper than any result.
 */
export async function encodeValue(value: unknown, depth: number = 0): Promise<unknown> {
  if (depth > depthMax) throw new Error('a value is too deep');
  if (value === undefined) return { $: 'undefined' };
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : { $: 'number', text: String(value) };
  if (typeof value !== 'object') return { $: typeof value };
  if (value instanceof Uint8Array) return { $: 'bytes', base64: base64Of(value) };
  if (value instanceof Blob) return await encodeBlob(value);
  if (value instanceof ReadableStream) return await encodeStream(value);
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
  return { ...facts, base64: base64Of(bytes) };
}

async function encodeStream(stream: ReadableStream): Promise<SentStream> {
  return { $: 'stream', base64: base64Of(new Uint8Array(await new Response(stream).arrayBuffer())) };
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Decodes the output of {@link encodeValue}. A blob becomes a `SeenBlob`, a stream its bytes. */
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
    return { ...facts, bytes: bytesOf(base64) };
  }
  if (kind === 'stream' || kind === 'bytes') return bytesOf(String(members['base64']));
  return value;
}

/** Returns true if a value consists only of plain objects, arrays, blobs, streams and JSON values. */
export function isPlain(value: unknown, depth: number = 0): boolean {
  if (value === null || ['undefined', 'boolean', 'number', 'string'].includes(typeof value)) return true;
  if (typeof value !== 'object' || depth > depthMax) return false;
  if (value instanceof Blob || value instanceof ReadableStream) return true;
  const form: unknown = Object.getPrototypeOf(value);
  if (form !== (Array.isArray(value) ? Array.prototype : Object.prototype)) return false;
  return Object.values(value).every((member) => isPlain(member, depth + 1));
}
