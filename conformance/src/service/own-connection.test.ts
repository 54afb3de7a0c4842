import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { CaseResult } from '../report/report.ts';
import { madeUp } from '../run/made-up-case.test.util.ts';
import { answers } from './reach.ts';
import { runCases } from '../run/run-cases.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

type Answer = (reply: ServerResponse, socket: Socket, before: number) => void;

/** Starts a service that answers a request by its number on the connection. */
async function listening(answer: Answer): Promise<string> {
  const counts = new WeakMap<Socket, number>();
  const started = createServer((request, reply) => {
    const { socket } = request;
    const before = counts.get(socket) ?? 0;
    counts.set(socket, before + 1);
    request.resume().on('end', () => answer(reply, socket, before));
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

/** Runs a case of requests with and without a body, one after the other. */
async function outcome(origin: string): Promise<CaseResult | undefined> {
  const testCase = madeUp(async (t) => {
    for (const body of ['one', undefined, 'two', undefined]) {
      const reply = await t.fetch(`${origin}/x`, body === undefined ? {} : { method: 'POST', body });
      expect(await reply.text()).toBe('all of it');
    }
  });
  const target = { name: 'made up', origin, dialect: 'neutral', account: 'local', apiToken: 'x' } as const;
  expect(await answers(target)).toBe(true);
  const report = await runCases({ target, cases: [testCase] });
  return report.cases[0];
}

it('is not affected by a connection that a service closed silently after a reply', async () => {
  const origin = await listening((reply, socket, before) => {
    if (before > 0) socket.resetAndDestroy();
    else reply.end('all of it');
  });
  expect(await outcome(origin)).toMatchObject({ status: 'pass' });
});

it('does not retry if a service closes the connection instead of replying', async () => {
  let posts = 0;
  const origin = await listening((reply, socket) => {
    if (reply.req.method === 'POST') {
      posts += 1;
      socket.resetAndDestroy();
    } else reply.end('all of it');
  });
  expect(await outcome(origin)).toMatchObject({
    status: 'error',
    failure: { message: expect.stringMatching(/^TypeError: fetch failed\nbecause: .*(?:ECONNRESET|closed)/) },
  });
  expect(posts).toBe(1);
});
