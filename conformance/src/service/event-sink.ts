import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Delivery, EventSink } from '../core/event-sink.ts';
import { parseJson } from '../tools/reply-of.ts';

/** A running sink, with the settings of a deployment that sends to it. */
export interface StartedSink extends EventSink {
  readonly settings: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Starts a webhook sink on the loopback of this machine. */
export async function startEventSink(): Promise<StartedSink> {
  const secrets = [32, 24].map((bytes) => `whsec_${randomBytes(bytes).toString('base64')}`);
  const all: Delivery[] = [];
  const answers = new Map<string, (delivery: Omit<Delivery, 'status'>) => number>();
  const server = createServer((request, response) => {
    received(request).then(
      (delivery) => {
        const status = answers.get(namespaceOf(delivery))?.(delivery) ?? 204;
        all.push({ ...delivery, status });
        response.writeHead(status).end();
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    secrets,
    deliveries: (namespace) => all.filter((delivery) => namespaceOf(delivery) === namespace),
    answer: (namespace, status) => void answers.set(namespace, status),
    settings: {
      webhook_url: `${origin}/events?from=conformance`,
      webhook_secrets: secrets,
      webhook_allow: ['127.0.0.1'],
      user_webhook_allow: ['127.0.0.1'],
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function received(request: IncomingMessage): Promise<Omit<Delivery, 'status'>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return {
    headers: { ...headers, ':method': request.method ?? '', ':path': request.url ?? '' },
    text,
    event: parseJson(text),
  };
}

function namespaceOf({ event }: Pick<Delivery, 'event'>): string {
  return String(event?.source?.namespace);
}
