/** Requests over new connections, with features that `fetch` does not allow. */

import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { recordRaw } from '../evidence/record-http.ts';

export interface RawReply {
  readonly status: number;
  /** The version, such as `1.1`. */
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Milliseconds without a byte before a connection is given up. An open one would keep the program from ending. */
const silenceMax = 60_000;

function silent(): Error {
  return new Error('the connection fell silent');
}

/** Milliseconds that a client waits for `100 Continue` before it sends its body anyway, as curl does. */
const continueWait = 1000;

/**
 * Posts a body in parts, one chunk per part, over HTTP/1.1. If the headers have `expect: 100-continue`, the body
 * follows the `100`, or is sent after a second without one.
 */
export function postParts(
  url: string,
  headers: Readonly<Record<string, string>>,
  parts: readonly Uint8Array[],
): Promise<RawReply> {
  return recordRaw(
    { method: 'POST', url, headers: Object.entries(headers), body: Buffer.concat(parts) },
    () => sendParts(url, headers, parts),
    ({ status, headers: got, body }) => ({ status, headers: pairsOf(got), body }),
  );
}

function pairsOf(headers: IncomingHttpHeaders): (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): readonly [string, string] => [name, one]),
  );
}

function sendParts(
  url: string,
  headers: Readonly<Record<string, string>>,
  parts: readonly Uint8Array[],
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const make = url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = make(url, { method: 'POST', headers, agent: false }, (response) => {
      const got: Buffer[] = [];
      response.on('data', (part: Buffer) => got.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, httpVersion } = response;
        resolve({ status: statusCode, httpVersion, headers: response.headers, body: Buffer.concat(got) });
      });
    });
    request.on('error', reject);
    request.setTimeout(silenceMax, () => request.destroy(silent()));
    const send = (): void => {
      if (request.writableEnded) return;
      for (const part of parts) request.write(part);
      request.end();
    };
    if (headers['expect'] === undefined) return send();
    const timer = setTimeout(send, continueWait);
    request.on('continue', send);
    request.on('close', () => clearTimeout(timer));
    request.flushHeaders();
  });
}

/** Milliseconds between the bytes of a chunked body and its last chunk: enough for an early reply to arrive. */
const lastChunkPause = 100;

/**
 * Posts a chunked body twice, and sends its last chunk a moment after its bytes. Resolves with both replies, and
 * whether the second request used the connection of the first one.
 */
export async function postTwice(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Promise<{ statuses: readonly number[]; kept: boolean }> {
  const tls = url.startsWith('https:');
  const agent = new (tls ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
  const once = (): Promise<{ status: number; reused: boolean }> =>
    new Promise((resolve, reject) => {
      const request = (tls ? httpsRequest : httpRequest)(url, { method: 'POST', headers, agent }, (response) => {
        response.on('error', reject);
        // The connection is free once the reply has been read and the request sent.
        response.resume().on('end', () => {
          const done = (): void => resolve({ status: response.statusCode ?? 0, reused: request.reusedSocket });
          if (request.writableFinished) done();
          else request.once('finish', done);
        });
      });
      request.on('error', reject);
      request.setTimeout(silenceMax, () => request.destroy(silent()));
      request.write(body);
      setTimeout(() => request.end(), lastChunkPause);
    });
  try {
    const first = await once();
    const second = await once();
    return { statuses: [first.status, second.status], kept: second.reused };
  } finally {
    agent.destroy();
  }
}

/** Gets a resource over HTTP/1.0. Returns the raw reply, its head, and its body, which ends with the connection. */
export function getOverHttp10(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ head: string; body: Buffer }> {
  return recordRaw(
    { method: 'GET', url, headers: Object.entries(headers) },
    () => sendHttp10(url, headers),
    ({ head, body }) => ({ status: Number(head.split(' ')[1]) || 0, headers: headersOf(head), body }),
  );
}

function headersOf(head: string): (readonly [string, string])[] {
  const lines = head.split('\r\n').slice(1);
  return lines.map((line) => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1).trim()]);
}

function sendHttp10(url: string, headers: Readonly<Record<string, string>>): Promise<{ head: string; body: Buffer }> {
  const { protocol, host, hostname, port, pathname, search } = new URL(url);
  const lines = [`GET ${pathname}${search} HTTP/1.0`, `Host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return new Promise((resolve, reject) => {
    const tls = protocol === 'https:';
    const options = { host: hostname, port: Number(port || (tls ? 443 : 80)) };
    const socket = tls ? connectTls({ ...options, servername: hostname }) : connectPlain(options);
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('error', reject);
    socket.setTimeout(silenceMax, () => socket.destroy(silent()));
    socket.on('end', () => {
      socket.end();
      const bytes = Buffer.concat(parts);
      const end = bytes.indexOf('\r\n\r\n');
      resolve({ head: bytes.subarray(0, end).toString('latin1'), body: bytes.subarray(end + 4) });
    });
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  });
}
