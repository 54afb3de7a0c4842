/** Twenty clients that clone through three servers, while these maintain what others push. */

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
/** The first packs are too large for rows, and for the buffers of a connection. */
const sizeOf = (number: number): number => (number < 4 ? 4_000_000 : 20_000);

it('REPO-320, REPO-330, REPO-333: 20 clones at once are whole while packs are merged and pushes arrive', async () => {
  const repo = await createRepo('busy', { url: proxy.origin });
  const remote = repo.at({ url: proxy.origin });
  /** Acknowledged commits, the oldest first. */
  const acknowledged: MadeObject[] = [];
  const pushNext = async (): Promise<void> => {
    const tip = acknowledged.slice(-1);
    const { node, pack } = madeChange(`push ${acknowledged.length}`, sizeOf(acknowledged.length), ...tip);
    expect(await push(remote, [set(main, node, tip[0])], pack)).toEqual(['unpack ok', `ok ${main}`]);
    acknowledged.push(node);
  };
  while (acknowledged.length < 6) await pushNext();

  const end = new AbortController();
  const merges = (): number =>
    servers.flatMap((server) =>
      server.lines('"event":"maintenance"').filter((line) => !line.includes('"merged_packs":0')),
    ).length;
  const pushAll = async (): Promise<void> => {
    while (!end.signal.aborted) await pushNext();
  };
  const clone = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const known = acknowledged.length;
      const commits = (await clonedCommits(remote, shared.folder)).toReversed();
      expect(commits.length).toBeGreaterThanOrEqual(known);
      const expected = acknowledged.slice(0, commits.length).map(({ oid }) => oid);
      expect(commits.slice(0, expected.length)).toEqual(expected);
    }
  };
  /** Reads the beginning of a reply, and the rest after its packs were replaced. */
  const cloneSlowly = async (server: KillableServer): Promise<void> => {
    const tip = acknowledged.at(-1) as MadeObject;
    const response = await fetch(`${repo.at(server).remote}/git-upload-pack`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${repo.token}`,
        'content-type': 'application/x-git-upload-pack-request',
        'git-protocol': 'version=2',
      },
      body: new Uint8Array(fetchBody([tip.oid], [])),
    });
    expect(response.status).toBe(200);
    const before = merges();
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      if (chunks.length === 0) await expect.poll(merges).toBeGreaterThan(before + 1);
      chunks.push(chunk);
    }
    const folder = mkdtempSync(join(shared.folder, 'slow-'));
    await startGit(['init', '--quiet', '--bare'], folder);
    const packed = await startGit(['index-pack', '--stdin', '--strict'], folder, packOf(Buffer.concat(chunks)));
    const checked = await startGit(['fsck', '--full', '--strict', tip.oid], folder);
    expect([packed.status, packed.err, checked.status, checked.err]).toEqual([0, '', 0, '']);
    end.abort();
  };
  await Promise.all([pushAll(), ...Array.from({ length: 20 }, clone), ...servers.map(cloneSlowly)]);
  expect(servers.flatMap((server) => server.lines('"level":"error"'))).toEqual([]);
}, 180_000);
