/** REPO-177, REPO-178: nothing is acknowledged that went to a data folder which is no longer there. */

import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { blob, commit, pack, tree } from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import { post, push, pushBody, set } from '@packhouse/conformance/tools/wire-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
});

afterEach(async () => {
  await server.close();
  rmSync(`${server.data}.moved`, { recursive: true, force: true });
});

const main = 'refs/heads/main';
const change = (size: number) => {
  const file = blob(noise(size, size));
  const root = tree({ file });
  const node = commit(`${size}`, root);
  return [[set(main, node)], pack(node, root, file)] as const;
};

const changes: readonly (readonly [string, (data: string) => void])[] = [
  ['deleted', (data) => rmSync(data, { recursive: true })],
  ['moved', (data) => renameSync(data, `${data}.moved`)],
  [
    'replaced by a copy',
    (data) => {
      renameSync(data, `${data}.moved`);
      cpSync(`${data}.moved`, data, { recursive: true });
    },
  ],
  [
    'left without its packs',
    (data) => {
      rmSync(join(data, 'packs'), { recursive: true });
      mkdirSync(join(data, 'packs.new'));
      renameSync(join(data, 'packs.new'), join(data, 'packs'));
    },
  ],
];

describe.each(changes)('a data folder that was %s', (_, replace) => {
  it('REPO-177, REPO-178: takes no push and no change over REST, and is not ready', async () => {
    const repo = await server.createRepo('gone');
    const ready = async (): Promise<number> => (await fetch(`${server.url}/readyz`)).status;
    expect(await ready()).toBe(200);
    expect(await push(repo, ...change(10))).toEqual(['unpack ok', `ok ${main}`]);
    replace(server.data);
    expect(await ready()).toBe(503);
    const text = 'The storage of the service is not there.';
    for (const size of [20, 2_000_000]) {
      const { status, body } = await post(repo, pushBody(...change(size)), { service: 'git-receive-pack' });
      expect([status, body.toString()]).toEqual([503, text]);
    }
    const { status, errors } = await server.rest('POST', '/namespaces/default/repos', { name: 'next' });
    expect([status, errors[0]?.code, errors[0]?.message]).toEqual([503, 10503, text]);
  });
});
