/** Stops a server during a delivery for longer than its lease lives, and lets it go on. */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KillableServer } from './support/killable-server.ts';
import { createRepo, openSharedStorage, type SharedStorage } from './support/shared-storage.ts';

/** Each delivery, with its answer, which the test gives. */
const deliveries: { readonly id: string; readonly reply: ServerResponse }[] = [];
let isOpen = false;
const answer = (reply: ServerResponse): unknown => reply.writableEnded || reply.writeHead(204).end();
const receiver = createServer((request, reply) => {
  deliveries.push({ id: String(request.headers['webhook-id']), reply });
  if (isOpen) answer(reply);
  request.resume();
});
let shared: SharedStorage;
const servers: KillableServer[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  shared = await openSharedStorage({
    webhook_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    webhook_secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
    webhook_allow: ['127.0.0.1'],
  });
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  receiver.closeAllConnections();
  receiver.close();
  await shared.close();
});

it('REPO-331: a server that stalled changes nothing after another one has taken over its delivery', async () => {
  const driver = openNodePostgres(shared.url);
  const waiting = async (): Promise<number> => (await driver.rows('SELECT FROM packhouse.events')).length;
  const stalled = await shared.start('stalled');
  servers.push(stalled);
  await createRepo('repo', stalled);
  await expect.poll(() => deliveries.length).toBe(1);
  const [first] = deliveries;
  if (first !== undefined) answer(first.reply);
  // It notes the first delivery with that of the second event.
  await expect.poll(() => deliveries.length).toBe(2);
  stalled.process.kill('SIGSTOP');
  const events = await waiting();

  servers.push(await shared.start('other'));
  await expect.poll(() => deliveries.length, { timeout: 60_000 }).toBe(3);
  expect(deliveries[2]?.id).toBe(first?.id);
  stalled.process.kill('SIGCONT');
  await expect.poll(() => stalled.logged('LeaseLostError')).toBeGreaterThan(0);
  // The event that the stalled server has delivered waits for the other one.
  expect([events, await waiting()]).toEqual([2, 2]);

  isOpen = true;
  for (const { reply } of deliveries) answer(reply);
  await expect.poll(waiting).toBe(0);
  await driver.close();
}, 180_000);
