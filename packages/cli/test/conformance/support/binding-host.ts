/**
 * An example of an app: it opens the service in its own process, serves it, and uses its bindings, here for the probe
 * of the conformance suite. Runs on Node, Deno and Bun. Reads its options from one line of JSON on standard input, and
 * ends at the end of input.
 */

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { bindingProbe } from '@packhouse/conformance/binding-probe';
import { checkConfig } from '@packhouse/router';
import type { ServeHere } from '@packhouse/server';
import type { HostRequest } from './hosted.ts';

const runtimes: Readonly<Record<HostRequest['runtime'], () => Promise<ServeHere>>> = {
  node: async () => (await import('@packhouse/server/node')).serveNode,
  deno: async () => (await import('@packhouse/server/deno')).serveDeno,
  bun: async () => (await import('@packhouse/server/bun')).serveBun,
};

async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of incoming) parts.push(part as Uint8Array<ArrayBuffer>);
  return Buffer.concat(parts);
}

async function run({ runtime, data, config, secret }: HostRequest, ended: Promise<unknown>): Promise<void> {
  const serve = await runtimes[runtime]();
  const serving = await serve({
    data,
    port: 0,
    config: checkConfig(config),
    log: (entry) => void process.stderr.write(`${JSON.stringify(entry)}\n`),
  });
  const bindings = Object.entries(serving.env).map(([namespace, binding]) => [namespace, () => binding] as const);
  const probe = bindingProbe({ bindings: Object.fromEntries(bindings), secret });
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', headers } = incoming;
    const body = method === 'GET' ? {} : { body: await bodyOf(incoming) };
    const request = new Request('http://probe', { method, headers: headers as Record<string, string>, ...body });
    const response = await probe(request);
    outgoing.writeHead(response.status, { 'content-type': 'application/json' });
    outgoing.end(new Uint8Array(await response.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ origin: serving.url, probeUrl: `http://127.0.0.1:${port}/` })}\n`);
  await ended;
  server.close();
  await serving.close();
  process.exit(0);
}

const lines = createInterface(process.stdin);
const ended = new Promise((resolve) => lines.once('close', resolve));
lines.once('line', (line) => void run(JSON.parse(line) as HostRequest, ended));
