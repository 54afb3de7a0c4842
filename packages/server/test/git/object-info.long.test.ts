/** GIT-100: sizes of objects, next to what stock git says of the same ones. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noise } from '@packhouse/conformance/tools/noise';
import { commandBody, discover, linesOf, post } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { git } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let folder: string;
let work: string;
let repo: TestRepo;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  repo = await server.createRepo('sizes');
  work = join(folder, 'work');
  await git(['init', '-q', '-b', 'main', work]);
  // Several packs: small ones in rows, one with deltas in a file, and some objects in two packs.
  for (let round = 0; round < 4; round++) {
    await writeFile(join(work, 'text'), Array.from({ length: 2000 }, (_, i) => `${i * (round + 1)}\n`).join(''));
    await writeFile(join(work, `empty-${round}`), '');
    if (round === 2) await writeFile(join(work, 'large'), noise(1_700_000, 1));
    await git(['add', '-A'], { cwd: work });
    await git(['commit', '-q', '-m', `round ${round}`], { cwd: work });
    await git(['tag', '-a', '-m', 'tagged', `v${round}`], { cwd: work });
    await git([...repo.auth, 'push', '-q', repo.remote, 'main', `v${round}`], { cwd: work });
  }
  await git(['checkout', '-q', '-b', 'secret'], { cwd: work });
  await writeFile(join(work, 'secret'), 'nobody may know\n');
  await git(['add', '-A'], { cwd: work });
  await git(['commit', '-q', '-m', 'secret'], { cwd: work });
  await git([...repo.auth, 'push', '-q', repo.remote, 'HEAD:refs/secret/one'], { cwd: work });
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

/** Lists the objects that `revs` reach according to stock git, as `<oid> <bytes>`. */
async function known(...revs: readonly string[]): Promise<readonly string[]> {
  const listed = await git(['rev-list', '--objects', '--no-object-names', ...revs], { cwd: work });
  const format = '--batch-check=%(objectname) %(objectsize)';
  return (await git(['cat-file', format], { cwd: work, input: listed })).trim().split('\n');
}

async function told(oids: readonly string[]): Promise<readonly string[]> {
  const words = ['size', ...oids.map((oid) => `oid ${oid}`)];
  const { status, body } = await post(repo, commandBody('object-info', words));
  expect(status).toBe(200);
  return linesOf(body);
}

const oidOf = (line: string): string => line.slice(0, 40);

it('GIT-100: every object has its size, in the order asked, as often as it is asked for', async () => {
  const all = await known('main', 'v0', 'v1', 'v2', 'v3');
  // Commits, tags, root trees and texts of four rounds, one empty file, one large one.
  expect(all).toHaveLength(18);
  const lines = [...all].reverse().concat(all.slice(0, 3));
  expect(await told(lines.map(oidOf))).toEqual(['size', ...lines, 'flush']);
});

it('GIT-100, GIT-129: returns no size of objects that only hidden refs reach, or that do not exist', async () => {
  const hidden = await known('refs/heads/secret', '^main');
  expect(hidden).toHaveLength(3);
  expect(await told(hidden.map(oidOf))).toEqual(['size', ...hidden, 'flush']);
  await server.restart({ settings: { hidden_refs: ['refs/secret'] } });
  const open = await known('main');
  const asked = [...hidden, ...open].map(oidOf);
  const unseen = hidden.map((line) => `${oidOf(line)} `);
  expect(await told([...asked, '1'.repeat(40)])).toEqual(['size', ...unseen, ...open, `${'1'.repeat(40)} `, 'flush']);
  await server.restart({ settings: {} });
});

it('GIT-100: returns bare ids without `size`, and only a flush without ids, like stock git', async () => {
  const [one] = (await known('main')).map(oidOf) as [string];
  expect(linesOf((await post(repo, commandBody('object-info', [`oid ${one}`]))).body)).toEqual([one, 'flush']);
  expect(linesOf((await post(repo, commandBody('object-info', ['size']))).body)).toEqual(['flush']);
  const empty = await server.createRepo('empty');
  const asked = await post(empty, commandBody('object-info', ['size', `oid ${one}`]));
  expect(linesOf(asked.body)).toEqual(['size', `${one} `, 'flush']);
});

it('GIT-017, GIT-047, GIT-090: it is offered, and refuses what it does not know', async () => {
  expect((await discover(repo, { version: 2 })).lines).toContain('object-info=size');
  const { body } = await post(repo, commandBody('object-info', ['size', 'type']));
  expect(linesOf(body)).toEqual([`ERR unexpected line: 'type'`]);
});

it('GIT-100: answers for as many objects as a body may name', async () => {
  const [line] = (await known('main')) as [string];
  const asked = Array.from({ length: 300_000 }, (_, i) =>
    i % 1000 === 0 ? oidOf(line) : i.toString(16).padStart(40, '0'),
  );
  const lines = await told(asked);
  expect(lines).toHaveLength(300_002);
  expect(lines.filter((one) => one === line)).toHaveLength(300);
  expect(lines.slice(1, -1).map(oidOf)).toEqual(asked);
});
