/** A server that runs while a newer release extends the schema of its PostgreSQL. */

import { extendSchema } from '@packhouse/base/testing';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import type { MadeObject } from '@packhouse/conformance/tools/made-objects';
import { push, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KillableServer } from './support/killable-server.ts';
import {
  clonedCommits,
  createRepo,
  madeChange,
  openSharedStorage,
  rest,
  type SharedStorage,
} from './support/shared-storage.ts';

let shared: SharedStorage;
let server: KillableServer;

beforeAll(async () => {
  shared = await openSharedStorage();
  server = await shared.start('older');
});

afterAll(async () => {
  await server.kill();
  await shared.close();
});

const main = 'refs/heads/main';
/** A pack in rows, and one in the bucket. */
const sizes = [100, 3_000_000] as const;

it('REPO-397, REPO-323: serves pushes and clones through the change, and a server that starts then refuses', async () => {
  const end = new AbortController();
  /** Pushes to a new repo and clones it until the end, and once more. */
  const use = async (name: string): Promise<void> => {
    const remote = (await createRepo(name, server)).at(server);
    const nodes: MadeObject[] = [];
    for (let isLast = false; !isLast;) {
      isLast = end.signal.aborted;
      const { node, pack } = madeChange(
        `push ${nodes.length}`,
        sizes[nodes.length % 2] as number,
        ...nodes.slice(0, 1),
      );
      expect(await push(remote, [set(main, node, nodes[0])], pack)).toEqual(['unpack ok', `ok ${main}`]);
      nodes.unshift(node);
      expect(await clonedCommits(remote, shared.folder)).toEqual(nodes.map(({ oid }) => oid));
    }
  };
  const maintained = (): number => server.logged('"event":"maintenance"');
  const upgrade = async (): Promise<void> => {
    await expect.poll(maintained).toBeGreaterThan(0);
    const driver = openNodePostgres(shared.url);
    await extendSchema(driver);
    await driver.close();
    const before = maintained();
    const newer = 'The database is newer than this version: it has the migration repo-state/next release.';
    await expect(shared.start('late')).rejects.toThrow(newer);
    await expect.poll(maintained).toBeGreaterThan(before);
    end.abort();
  };
  await Promise.all([upgrade(), ...Array.from({ length: 4 }, (_, i) => use(`repo-${i}`))]);

  const fork = await rest(server, 'POST', '/repos/repo-0/fork', { name: 'forked' });
  expect(fork.status).toBe(201);
  expect((await rest(server, 'DELETE', '/repos/repo-1')).status).toBe(202);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(server.lines('"level":"error"')).toEqual([]);
}, 120_000);
