import type { Dialect } from '@packhouse/hosting';
import type { CliError } from '../output/cli-error.ts';
import type { Io } from '../output/io.ts';
import { addressOf, type ApiAddress } from './address.ts';
import { parseEnvelope, type Envelope } from './envelope.ts';
import { alreadyExists, connectionError, refusal, strangerError, type FailedRequest, type Refused } from './failure.ts';

/** The service that a command calls, and the credential that it sends. */
export interface ApiTarget {
  /** The base URL, without a slash at its end. */
  readonly base: string;
  readonly token: string;
  readonly account: string;
  readonly dialect: Dialect;
}

export interface ApiRequest extends ApiAddress {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly ifMatch?: string | undefined;
  /** The media type of the reply. Default: any. */
  readonly accept?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A body of bytes, in place of `body`. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Used in messages, see {@link FailedRequest}. */
  readonly subject: string;
  readonly lookUp: string;
  /** For a request that creates something: looks up how the service spells the name of the existing one. May reject. */
  readonly spelling?: () => Promise<string>;
  /** Returns a special error for a refused request; undefined leaves the refusal to {@link refusal}. */
  readonly explain?: (refused: Refused) => CliError | undefined;
}

/** The REST control plane, as far as the commands use it. Methods throw `CliError`. */
export interface Api {
  /** Sends one request and returns its `result`. */
  one(request: ApiRequest): Promise<unknown>;
  /** Sends one request whose reply is bytes, and returns them as they arrive. */
  bytes(request: ApiRequest): Promise<ReadableStream<Uint8Array>>;
  /** Returns all rows of a list that is paged by cursor (REPO-092). */
  byCursor(request: ApiRequest): Promise<readonly unknown[]>;
  /** Yields the result of each page of a list that is paged by cursor. */
  pages(request: ApiRequest): AsyncIterable<unknown>;
  /** Returns all items of a tagging list, which is paged by `cursors.after` (TAG-077). */
  byCursorsAfter(request: ApiRequest): Promise<readonly unknown[]>;
  /** Returns all rows of a list that is paged by number (REPO-095). */
  byPage(request: ApiRequest): Promise<readonly unknown[]>;
}

interface Reply {
  readonly result: unknown;
  readonly info: Readonly<Record<string, unknown>>;
}

export function createApi(target: ApiTarget, io: Pick<Io, 'fetch' | 'program'>): Api {
  const send = async (request: ApiRequest): Promise<Reply> => await exchange(target, request, io);
  return {
    one: async (request) => (await send(request)).result,

    bytes: (request) => download(target, request, io),

    byCursor: async (request) =>
      await walk(send, { ...request, query: { ...request.query, limit: '200' } }, (info) => info['cursor']),

    async *pages(request) {
      for await (const { result } of walkPages(send, request, (info) => info['cursor'])) yield result;
    },

    byCursorsAfter: async (request) =>
      await walk(send, request, (info) => (info['cursors'] as { readonly after?: unknown } | undefined)?.after),

    async byPage(request) {
      const rows: unknown[] = [];
      for (let page = 1; ; page++) {
        const { result, info } = await send({
          ...request,
          query: { ...request.query, per_page: '100', page: String(page) },
        });
        rows.push(...list(result));
        if (list(result).length === 0 || page >= Number(info['total_pages'] ?? 0)) return rows;
      }
    },
  };
}

/** Returns all rows of a list, see {@link walkPages}. */
async function walk(...args: Parameters<typeof walkPages>): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  for await (const { result } of walkPages(...args)) for (const row of list(result)) rows.push(row);
  return rows;
}

/** Yields all pages of a list. `next` reads the cursor of the next page from the `result_info` of a page. */
async function* walkPages(
  send: (request: ApiRequest) => Promise<Reply>,
  request: ApiRequest,
  next: (info: Reply['info']) => unknown,
): AsyncGenerator<Reply, void, undefined> {
  const seen = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const page = await send({ ...request, query: { ...request.query, cursor } });
    yield page;
    cursor = String(next(page.info) ?? '');
    // A service that repeats a cursor must not cause an endless loop.
    if (cursor === '' || seen.has(cursor)) return;
    seen.add(cursor);
  }
}

function failedRequest(
  { base, account }: ApiTarget,
  request: ApiRequest,
  { program }: Pick<Io, 'program'>,
): FailedRequest {
  return { base, account, program, subject: request.subject, lookUp: request.lookUp };
}

/** @throws {CliError} kind `usage` for an address that cannot be asked for. */
function requestTo(target: ApiTarget, request: ApiRequest): Request {
  return new Request(addressOf(target, request), {
    method: request.method,
    headers: {
      authorization: `Bearer ${target.token}`,
      ...(request.accept === undefined ? {} : { accept: request.accept }),
      ...(request.ifMatch === undefined ? {} : { 'if-match': request.ifMatch }),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(request.bytes === undefined ? {} : { 'content-type': 'application/octet-stream' }),
    },
    body: request.bytes ?? (request.body === undefined ? null : JSON.stringify(request.body)),
    // A redirect could send the credential to another server.
    redirect: 'manual',
  });
}

function refusalOf(
  { status, headers }: Response,
  { errors: [error], messages }: Extract<Envelope, { readonly success: false }>,
  request: ApiRequest,
  failed: Parameters<typeof refusal>[1],
): CliError {
  const refused: Refused = { status, error, details: messages, retryAfter: headers.get('retry-after') };
  return request.explain?.(refused) ?? refusal(refused, failed);
}

async function download(
  target: ApiTarget,
  request: ApiRequest,
  io: Pick<Io, 'fetch' | 'program'>,
): Promise<ReadableStream<Uint8Array>> {
  const failed = failedRequest(target, request, io);
  const reply = await io.fetch(requestTo(target, request)).catch((error: unknown) => {
    throw connectionError(error, failed);
  });
  if (reply.ok && reply.body !== null) return reply.body;
  const refused = parseEnvelope(await reply.text());
  if (refused === undefined || refused.success) throw strangerError(reply.status, failed);
  throw refusalOf(reply, refused, request, failed);
}

async function exchange(target: ApiTarget, request: ApiRequest, io: Pick<Io, 'fetch' | 'program'>): Promise<Reply> {
  const failed = failedRequest(target, request, io);
  const wanted = requestTo(target, request);
  let reply: Response;
  let text: string;
  try {
    reply = await io.fetch(wanted);
    text = await reply.text();
  } catch (error) {
    throw connectionError(error, failed);
  }
  if (reply.status === 204) return { result: null, info: {} };
  const envelope = parseEnvelope(text);
  if (envelope === undefined) throw strangerError(reply.status, failed);
  if (!envelope.success) {
    const [error] = envelope.errors;
    const taken = error.code === alreadyExists ? await request.spelling?.().catch(() => undefined) : undefined;
    throw refusalOf(reply, envelope, request, { ...failed, taken });
  }
  return { result: envelope.result, info: envelope.result_info ?? {} };
}

function list(result: unknown): readonly unknown[] {
  return Array.isArray(result) ? result : [];
}
