import { join } from 'node:path';
import type { Remote } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, expect } from 'vitest';
import { openTestHost, type TestHost } from '../support/test-host.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';

/** Random histories for each test: `ROUNDS=200` compares some thousand replies. */
export const rounds = Number(process.env['ROUNDS'] ?? 4);

let host: TestHost;
let folder: string;
let made = 0;

/** Opens the service for the tests of a file. */
export function openTwins(): void {
  beforeAll(async () => {
    // Stock git forgets at once what a ref has left (GIT-061).
    host = await openTestHost({ stale_want_grace: 0 });
    folder = makeFolder();
  });

  afterAll(async () => {
    expect(host.failures).toEqual([]);
    await host.close();
    removeFolder(folder);
  });
}

/** An empty repository of the service, in this process. */
export async function newRepo(): Promise<Remote> {
  const { result } = await host.rest('POST', '/repos', { name: `repo-${made++}` });
  return { ...(result as { remote: string; token: string }), fetch: host.fetch };
}

/** A path for a repository of stock `git`. */
export function newFolder(): string {
  return join(folder, `stock-${made++}`);
}
