import type { Dialect } from '@packhouse/hosting';
import type { Io } from '../io.ts';
import {
  alreadyExists,
  connectionError,
  refusal,
  strangerError,
  type FailedRequest,
  type ReplyError,
} from './failure.ts';

/** Where and as whom a command asks. */
export interface ApiTarget {
  readonly origin: string;
  readonly token: string;
  readonly account: string;
  readonly dialect: Dialect;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Segments behind the account base; encoded here. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** For messages, see {@link FailedRequest}. */
  readonly subject: string;
  readonly lookUp: string;
  /** Of a request that makes a thing: how an existing one spells its name. May reject. */
  readonly spelling?: () => Promise<string>;
}

/** The REST control plane, as far as the commands use it. Methods throw `CliError`. */
export interface Api {
  /** The `result` of one request. */
  one(request: ApiRequest): Promise<unknown>;
  /** All rows of a list that goes by cursor (REPO-092). */
  byCursor(request: ApiRequest): Promise<readonly unknown[]>;
  /** All rows of a list that goes by page (REPO-095). */
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

    async byCursor(request) {
      const rows: unknown[] = [];
      const seen = new Set<string>();
      for (let cursor = ''; ;) {
        const { result, info } = await send({ ...request, query: { ...request.query, limit: '200', cursor } });
        rows.push(...list(result));
        cursor = String(info['cursor'] ?? '');
        // A service that repeats itself must not keep us for ever.
        if (cursor === '' || seen.has(cursor)) return rows;
        seen.add(cursor);
      }
    },

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

async function exchange(target: ApiTarget, request: ApiRequest, io: Pick<Io, 'fetch' | 'program'>): Promise<Reply> {
  const { origin, account, dialect, token } = target;
  const failed: FailedRequest = {
    origin,
    account,
    program: io.program,
    subject: request.subject,
    lookUp: request.lookUp,
  };
  const path = [dialect.basePath, '/accounts/', encodeURIComponent(account), '/', dialect.serviceSegment];
  for (const segment of request.path) path.push('/', encodeURIComponent(segment));
  const url = new URL(path.join(''), origin);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  let reply: Response;
  let text: string;
  try {
    reply = await io.fetch(
      new Request(url, {
        method: request.method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: request.body === undefined ? null : JSON.stringify(request.body),
        // A credential must not follow a redirect to wherever it points.
        redirect: 'manual',
      }),
    );
    text = await reply.text();
  } catch (error) {
    throw connectionError(error, failed);
  }
  if (reply.status === 204) return { result: null, info: {} };
  const envelope = parseEnvelope(text);
  if (envelope === undefined) throw strangerError(reply.status, failed);
  if (!envelope.success) {
    const error = envelope.errors[0] as ReplyError;
    const taken = error.code === alreadyExists ? await request.spelling?.().catch(() => undefined) : undefined;
    throw refusal(reply.status, error, reply.headers.get('retry-after'), { ...failed, taken });
  }
  return { result: envelope.result, info: envelope.result_info ?? {} };
}

interface Envelope {
  readonly success: boolean;
  readonly result: unknown;
  readonly errors: readonly ReplyError[];
  readonly result_info?: Readonly<Record<string, unknown>>;
}

/** The envelope of REPO-033, or undefined for a reply of something else. */
function parseEnvelope(text: string): Envelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const envelope = value as Partial<Envelope> | null;
  if (typeof envelope?.success !== 'boolean' || !Array.isArray(envelope.errors)) return undefined;
  return envelope.success || typeof envelope.errors[0]?.message === 'string' ? (envelope as Envelope) : undefined;
}

function list(result: unknown): readonly unknown[] {
  return Array.isArray(result) ? result : [];
}
