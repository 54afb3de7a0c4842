/**
 * Requests as raw bytes, for what client libraries cannot send: any `Host`, a header twice, characters that HTTP
 * forbids.
 */

import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { recordRaw } from '../evidence/record-http.ts';

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface RawRequest {
  /** Default: `GET`. */
  readonly method?: string;
  /** Default: the host of the origin. `null`: no header. */
  readonly host?: string | null;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Default: `1.1`. */
  readonly version?: '1.0' | '1.1';
}

/** Milliseconds without a byte before a connection is given up. */
const patience = 20_000;

/**
 * Sends one request over a new connection. Texts are encoded as Latin-1.
 *
 * @throws if no complete reply arrives.
 */
export async function rawGet(origin: string, path: string, request: RawRequest = {}): Promise<RawReply> {
  const { protocol, host: ownHost, hostname, port, pathname } = new URL(origin);
  const { method = 'GET', host = ownHost, headers = [], version = '1.1' } = request;
  const mount = path.startsWith('/') ? pathname.replace(/\/$/, '') : '';
  const lines = [`${method} ${mount}${path} HTTP/${version}`];
  if (host !== null) lines.push(`Host: ${host}`);
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  const sent = Buffer.from(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`, 'latin1');
  const tls = protocol === 'https:';
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const options = { host: name, port: Number(port || (tls ? 443 : 80)) };
  return await recordRaw(
    { method, url: origin + path, headers: [...(host === null ? [] : [['Host', host] as const]), ...headers] },
    async () => parse(await exchange(tls ? { ...options, servername: name } : options, tls, sent, method), method),
    (reply) => reply,
  );
}

/** Sends a request, and returns the received bytes once the reply is complete or the connection ends. */
function exchange(
  options: { readonly host: string; readonly port: number; readonly servername?: string },
  tls: boolean,
  sent: Uint8Array,
  method: string,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = tls ? connectTls(options) : connectPlain(options);
    let got: Buffer = Buffer.alloc(0);
    const end = (error?: Error): void => {
      socket.destroy();
      // If the connection is reset after the reply, the reply is complete.
      if (error === undefined || got.length > 0) resolve(got);
      else reject(error);
    };
    socket.setTimeout(patience, () => end(new Error('the connection fell silent')));
    socket.on('data', (part: Buffer) => {
      got = Buffer.concat([got, part]);
      // Some services keep the connection open for a while, even if asked to close it.
      if (isWhole(got, method)) end();
    });
    socket.on('error', end);
    socket.on('close', () => end());
    socket.write(sent);
  });
}

/** Returns where the head ends, or -1 if it is incomplete. */
const headEnd = (bytes: Buffer): number => bytes.indexOf('\r\n\r\n');

/** Returns true if a reply is complete by its own headers. */
function isWhole(bytes: Buffer, method: string): boolean {
  const end = headEnd(bytes);
  if (end < 0) return false;
  const head = bytes.subarray(0, end).toString('latin1');
  if (method === 'HEAD') return true;
  if (/^transfer-encoding:.*\bchunked\b/im.test(head)) return bytes.subarray(-5).toString('latin1') === '0\r\n\r\n';
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  return length !== undefined && bytes.length - end - 4 >= Number(length);
}

function parse(bytes: Buffer, method: string): RawReply {
  const end = headEnd(bytes);
  const [first = '', ...lines] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
  if (status === 0) throw new Error(`no reply, but ${JSON.stringify(bytes.subarray(0, 80).toString('latin1'))}`);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const rest = bytes.subarray(end + 4);
  const chunked = /\bchunked\b/i.test(headers.get('transfer-encoding') ?? '');
  const body = method === 'HEAD' ? rest : chunked ? unchunked(rest) : rest;
  return { status, headers, body };
}

function unchunked(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at);
    const size = line < 0 ? Number.NaN : Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (Number.isNaN(size)) throw new Error('the reply ended within a chunk');
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
