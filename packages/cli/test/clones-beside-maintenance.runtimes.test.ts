/** Clients that clone through three servers, while these maintain what others push. */

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { MadeObject } from '@packhouse/conformance/tools/made-objects';
import { fetchBody, packOf, push, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGit } from './kills/run-git.ts';
import type { KillableServer } from './support/killable-server.ts';
import { startRoundRobin, type RoundRobin } from './support/round-robin.ts';
import {
  clonedCommits,
  createRepo,
  madeChange,
  openSharedStorage,
  type SharedStorage,
} from './support/shared-storage.ts';

let shared: SharedStorage;
let servers: readonly KillableServer[];
/** Hands each request to the next server. */
let proxy: RoundRobin;

beforeAll(async () => {
  [shared, proxy] = await Promise.all([openSharedStorage(), startRoundRobin()]);
  servers = await Promise.all(['a', 'b', 'c'].map((name) => shared.start(name)));
  proxy.ports.push(...servers.map(({ url }) => Number(new URL(url).port)));
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await proxy.close();
  await shared.close();
});

const main = 'refs/heads/main';

/** Creates a repo whose requests go to the next server each. */
async function createBusyRepo(name: string) {
  const repo = await createRepo(name, { url: proxy.origin });
  const remote = repo.at({ url: proxy.origin });
  return {
    ...repo,
    remote,
    /** Acknowledged commits of `main`, the oldest first. */
    acknowledged: [] as MadeObject[],
    async pushNext(size: number): Promise<void> {
      const tip = this.acknowledged.slice(-1);
      const { node, pack } = madeChange(`push ${this.acknowledged.length}`, size, ...tip);
      expect(await push(remote, [set(main, node, tip[0])], pack)).toEqual(['unpack ok', `ok ${main}`]);
      this.acknowledged.push(node);
    },
    /** Returns the number of merges of its packs so far. */
    merges: (by: readonly KillableServer[]): number =>
      by
        .flatMap((server) => server.lines(`"repo":"default/${name}"`))
        .filter((line) => /"merged_packs":[1-9]/.test(line)).length,
  };
}

it('REPO-320, REPO-330: 20 clones at once are whole while packs are merged and pushes arrive', async () => {
  const repo = await createBusyRepo('busy');
  // Packs in rows, and in the bucket.
  while (repo.acknowledged.length < 6) await repo.pushNext(repo.acknowledged.length % 2 === 0 ? 600_000 : 20_000);
  const end = new AbortController();
  const before = repo.merges(servers);
  const pushAll = async (): Promise<void> => {
    while (repo.merges(servers) < before + 3) await repo.pushNext(20_000);
    end.abort();
  };
  const clone = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const known = repo.acknowledged.length;
      const commits = (await clonedCommits(repo.remote, shared.folder)).toReversed();
      expect(commits.length).toBeGreaterThanOrEqual(known);
      const expected = repo.acknowledged.slice(0, commits.length).map(({ oid }) => oid);
      expect(commits.slice(0, expected.length)).toEqual(expected);
    }
  };
  await Promise.all([pushAll(), ...Array.from({ length: 20 }, clone)]);
  expect(servers.flatMap((server) => server.lines('"level":"error"'))).toEqual([]);
}, 180_000);

it('REPO-333: a client that reads slowly gets all of the packs that other servers replaced meanwhile', async () => {
  const repo = await createBusyRepo('slow');
  // By the times of their rounds, one server may do all of the work. Another one is read from.
  while (repo.merges(servers) === 0) await repo.pushNext(100);
  const reading = servers.find((server) => repo.merges([server]) === 0) as KillableServer;
  const others = servers.filter((server) => server !== reading);
  // More than the server reads ahead, and than the connection buffers.
  const large = Array.from({ length: 3 }, (_, i) => madeChange(`large ${i}`, 6_000_000));
  await Promise.all(large.map(({ node, pack }, i) => push(repo.remote, [set(`refs/heads/${i}`, node)], pack)));
  const tips = large.map(({ node }) => node.oid);
  const response = await fetch(`${repo.at(reading).remote}/git-upload-pack`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${repo.token}`,
      'content-type': 'application/x-git-upload-pack-request',
      'git-protocol': 'version=2',
    },
    body: new Uint8Array(fetchBody(tips, [])),
  });
  expect(response.status).toBe(200);
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    chunks.push(chunk);
    // The server that reads the packs would not remove them itself.
    if (chunks.length === 1)
      for (const end = repo.merges(others) + 3; repo.merges(others) < end;) await repo.pushNext(100);
  }
  const folder = mkdtempSync(join(shared.folder, 'slow-'));
  await startGit(['init', '--quiet', '--bare'], folder);
  const packed = await startGit(['index-pack', '--stdin', '--strict'], folder, packOf(Buffer.concat(chunks)));
  const checked = await startGit(['fsck', '--full', '--strict', ...tips], folder);
  expect([packed.status, packed.err, checked.status, checked.err]).toEqual([0, '', 0, '']);
}, 180_000);
