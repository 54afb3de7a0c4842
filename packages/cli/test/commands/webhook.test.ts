import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveNode, type Serving } from '@packhouse/server/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ran, type Ran } from './in-process.ts';

let root: string;
let server: Serving;
let status = 204;
const receiver = createServer(
  (request, response) => void request.resume().on('end', () => response.writeHead(status).end()),
);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-webhook-'));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const settings = { user_webhook_allow: ['127.0.0.1'] };
  server = await serveNode({ port: 0, data: join(root, '.packhouse'), config: { settings } });
});

afterAll(async () => {
  receiver.close();
  await server.close(0);
  rmSync(root, { recursive: true, force: true });
});

const call = (...args: readonly string[]): Promise<Ran> =>
  ran(args, { env: { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: server.keptToken?.token ?? '' } });

it('REPO-375, REPO-381: webhook create, list, update, ping and delete', async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  await call('repo', 'create', 'notes');
  const made = await call('webhook', 'create', url, '--repo', 'notes', '--event', 'pushed', '--ref', 'refs/heads/*');
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toMatch(/^secret +whsec_\S+ {3}\(shown only now\)$/m);
  const id = /^id +(\S+)/m.exec(made.out)?.[1] ?? '';
  expect((await call('webhook', 'ping', id, '--repo', 'notes')).code).toBe(0);
  status = 500;
  const failed = await call('webhook', 'ping', id, '--repo', 'notes');
  expect([failed.code, failed.out]).toEqual([1, expect.stringMatching(/^error +the receiver answered 500$/m)]);
  await call('webhook', 'update', id, '--repo', 'notes', '--state', 'inactive', '--event', 'deleted');
  const { out } = await call('webhook', 'list', '--repo', 'notes');
  expect(out).toMatch(new RegExp(`${id} +inactive +deleted refs/heads/\\* .*the receiver answered 500`));
  expect((await call('webhook', 'list')).out).toContain(
    'The namespace has no webhooks. Those of a repo: add --repo NAME.',
  );
  expect((await call('webhook', 'update', id)).err).toContain('Nothing to change.');
  expect((await call('webhook', 'delete', id)).code).toBe(3);
  expect(await call('webhook', 'delete', id, '--repo', 'notes')).toMatchObject({
    code: 0,
    out: `Deleted webhook ${id}.\n`,
  });
});
