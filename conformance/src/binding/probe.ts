/**
 * Lets the suite call the binding of a deployment: a handler that the tester mounts next to the binding. It runs on
 * every runtime and uses only `Request`, `Response` and `crypto`.
 */

import {
  decodeValue,
  encodeValue,
  isPlain,
  secretHeader,
  type ProbeReply,
  type ProbeRequest,
  type SentError,
} from './wire.ts';

export interface BindingProbeOptions {
  /**
   * Bindings by namespace. The suite creates and deletes repos and namespaces in them. A running case has one for
   * itself, so four are as fast as more. Read again for each request.
   */
  readonly bindings: Readonly<Record<string, () => object>>;
  /** The secret that requests must carry, at least 16 characters. It grants full access to these namespaces. */
  readonly secret: string;
}

/** Open handles; the oldest is dropped first. */
const handlesMax = 1000;
/** Bytes in the body of a request. */
const bodyMax = 1_048_576;
const secretMin = 16;

interface Kept {
  readonly namespace: string;
  readonly handle: object;
}

/**
 * Creates the handler. On Workers it must run in a Durable Object: handles there belong to the request that created
 * them, and would end with it.
 *
 * @throws {RangeError} for a short secret.
 */
export function bindingProbe({ bindings, secret }: BindingProbeOptions): (request: Request) => Promise<Response> {
  if (secret.length < secretMin) throw new RangeError(`The secret of a probe has at least ${secretMin} characters`);
  const handles = new Map<string, Kept>();

  const subject = ({ namespace, handle }: ProbeRequest): object | undefined => {
    if (handle === undefined) return Object.hasOwn(bindings, namespace) ? bindings[namespace]?.() : undefined;
    const kept = handles.get(handle);
    return kept?.namespace === namespace ? kept.handle : undefined;
  };
  const keep = (namespace: string, handle: object): string => {
    const [oldest] = handles.keys();
    if (handles.size >= handlesMax && oldest !== undefined) {
      disposeOf(handles.get(oldest)?.handle as Members);
      handles.delete(oldest);
    }
    const id = crypto.randomUUID();
    handles.set(id, { namespace, handle });
    return id;
  };

  return async (request) => {
    if (!(await isSame(request.headers.get(secretHeader) ?? '', secret))) return new Response(null, { status: 404 });
    if (request.method === 'GET') return Response.json({ namespaces: Object.keys(bindings) });
    const text = request.method === 'POST' ? await textOf(request.body) : undefined;
    const asked = text === undefined ? undefined : parsed(text);
    if (asked === undefined) return new Response(null, { status: 400 });
    const found = subject(asked);
    if (found === undefined) return Response.json({ problem: 'no such binding or handle' }, { status: 410 });
    return Response.json(await act(found, asked, (handle) => keep(asked.namespace, handle)));
  };
}

/** Reads a body. Returns undefined, and stops reading, after more than {@link bodyMax} bytes. */
async function textOf(body: Request['body']): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const part of body ?? []) {
    size += part.length;
    if (size > bodyMax) return undefined;
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

const acts: readonly unknown[] = ['call', 'call then dispose', 'dispose', 'property'] satisfies ProbeRequest['act'][];

/** Parses a request; undefined if it is invalid. */
function parsed(text: string): ProbeRequest | undefined {
  try {
    const asked = JSON.parse(text) as Readonly<Record<keyof ProbeRequest, unknown>>;
    const texts = [asked.namespace, asked.name, asked.handle ?? ''];
    const isRequest = texts.every((one) => typeof one === 'string') && acts.includes(asked.act);
    return isRequest && Array.isArray(asked.args) ? (asked as ProbeRequest) : undefined;
  } catch {
    return undefined;
  }
}

type Members = Readonly<Record<PropertyKey, unknown>>;

async function act(
  subject: object,
  { act: kind, name, args }: ProbeRequest,
  keep: (handle: object) => string,
): Promise<ProbeReply> {
  let given: unknown;
  try {
    given = begin(subject as Members, kind, name, args.map(argumentOf));
  } catch (error) {
    return { outcome: 'thrown', promise: false, error: await sentError(error) };
  }
  const promise = typeof (given as Members | null | undefined)?.['then'] === 'function';
  try {
    const value = await (given as Promise<unknown>);
    // `typeof` a stub of Workers is `function`.
    if (name === 'get' && kind === 'call' && value !== null && ['object', 'function'].includes(typeof value))
      return { outcome: 'resolved', promise, value: { $: 'handle', id: keep(value as object) } };
    const reply: ProbeReply = {
      outcome: 'resolved',
      promise,
      value: await encodeValue(value),
      plain: isPlain(value),
      cloneable: isCloneable(value),
    };
    spoil(value);
    return reply;
  } catch (error) {
    return { outcome: 'rejected', promise, error: await sentError(error) };
  }
}

/** Decodes an argument. Blobs and streams, which results of the suite show as their bytes, are such again. */
function argumentOf(sent: unknown): unknown {
  const value = decodeValue(sent);
  const kind = (sent as Members | null)?.['$'];
  if (kind === 'blob') return new Blob([(value as { readonly bytes: Uint8Array<ArrayBuffer> }).bytes]);
  return kind === 'stream' ? new Response(value as Uint8Array<ArrayBuffer>).body : value;
}

function begin(subject: Members, kind: ProbeRequest['act'], name: string, args: readonly unknown[]): unknown {
  if (kind === 'property') return subject[name];
  if (kind === 'dispose') return disposeOf(subject);
  // Called as a method: stubs of Workers support neither `call` nor `apply`.
  const given = (subject as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>)[name]?.(...args);
  if (!(name in subject) && given === undefined) throw new TypeError(`there is no method ${name}`);
  if (kind === 'call then dispose') disposeOf(subject);
  return given;
}

function disposeOf(handle: Members): unknown {
  return (handle[Symbol.dispose] as () => unknown).call(handle);
}

async function sentError(error: unknown): Promise<SentError> {
  const isError = error instanceof Error;
  const own = typeof error === 'object' && error !== null ? { ...error } : {};
  const { name, message } = isError ? error : { name: typeof error, message: String(error) };
  return { isError, name, message, own: (await encodeValue(own)) as SentError['own'] };
}

function isCloneable(value: unknown): boolean {
  // A stream is transferred, not cloned.
  if (value instanceof ReadableStream) return true;
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

/** Changes all mutable parts of a result. A later result must not show the changes (BIND-015). */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof Blob) return;
  for (const [name, member] of Object.entries(value)) {
    spoil(member);
    Reflect.set(value, name, 'spoiled');
  }
}

/** Compares in a time that does not depend on the secret. */
async function isSame(given: string, secret: string): Promise<boolean> {
  const [a, b] = await Promise.all([given, secret].map(digest));
  let difference = 0;
  for (const [i, byte] of (a as Uint8Array).entries()) difference |= byte ^ ((b as Uint8Array)[i] as number);
  return difference === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
