/** Replies to clients when a stored pack breaks. The tests damage the file, so they need the data folder. */

import { createHash } from 'node:crypto';
import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { blob, change, commit, pack, tree } from '@packhouse/conformance/tools/made-objects';
import { post, push, readPackets, set, uploadBody } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tryGit } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
});

afterAll(async () => {
  await server.close();
  removeFolder(folder);
});

it('GIT-071, GIT-032: a failure while the pack is sent is reported in band 3 or breaks off the reply; before that it is a 500', async () => {
  const broken = await server.createRepo('broken');
  // Too large for a row, so it is stored in a file.
  const filler = Array.from({ length: 120_000 }, (_, i) => createHash('sha1').update(`x${i}`).digest('base64')).join(
    '',
  );
  const file = blob(filler);
  const root = tree({ file });
  const heavy = commit('heavy', root);
  const light = change('light', heavy);
  await push(broken, [set('refs/heads/main', heavy)], pack(heavy, root, file));
  await push(broken, [set('refs/heads/main', light, heavy)], pack(...light.all));
  const [stored, ...others] = readdirSync(server.data, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.pack'),
  );
  expect([stored, others]).toEqual([expect.any(String), []]);
  const path = join(server.data, stored as string);
  await server.restart();
  truncateSync(path, Math.floor(statSync(path).size / 2));

  const words = 'ofs-delta no-progress';
  const banded = (await post(broken, uploadBody([light.oid], [], `side-band-64k ${words}`), { version: 0 })).body;
  const last = readPackets(banded).at(-1) as Buffer;
  expect([last[0], last.subarray(1).toString()]).toEqual([3, 'An internal error occurred.\n']);
  await expect(post(broken, uploadBody([light.oid], [], words), { version: 0 })).rejects.toThrow(
    /^(terminated|fetch failed)$/,
  );
  const clone = await tryGit([...broken.auth, 'clone', broken.remote, join(folder, 'broken')]);
  expect(clone.status).toBe(128);
  expect(clone.stderr).toContain('An internal error occurred.');

  await server.restart();
  for (const name of readdirSync(join(path, '..'))) if (name !== 'pack') truncateSync(join(path, '..', name), 100);
  const { status, body } = await post(broken, uploadBody([light.oid], [], words), { version: 0 });
  expect([status, body.toString()]).toEqual([500, 'An internal error occurred.']);
});
