import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitFile, git, newRepository } from './support/git.ts';
import { startLocalService, type LocalService } from './support/local-service.ts';

let service: LocalService;
let folder: string;

beforeAll(async () => {
  service = await startLocalService();
  folder = await newRepository();
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

type Line = (typeof service.lines)[number];

/** The alarms from a line of the log on that have maintained something. */
const maintained = (from: number): Line[] =>
  service.lines.slice(from).filter((line) => line['event'] === 'alarm' && String(line['steps']).includes('maintain'));

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 1_600; waited++) {
    if (await isDone()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it takes too long');
}

let clones = 0;

/** Clones whole, and answers the R2 operations of the request with the pack. */
async function cloneReads(remote: string, commits: number): Promise<unknown> {
  const from = service.lines.length;
  const copy = join(folder, `.copy-${clones++}`);
  await git(['clone', '-q', '--bare', remote, copy]);
  expect(await git(['fsck', '--full'], copy)).toBe('');
  expect(await git(['rev-list', '--count', 'main'], copy)).toBe(`${commits}\n`);
  return (await service.requests('/git-upload-pack', 2, from)).at(-1)?.['r2_b'];
}

it('33 small pushes are merged in their rows: no operation on the bucket, and none of a clone', async () => {
  const { id, remote } = await service.createRepo('many');
  for (let i = 0; i < 33; i++) {
    await commitFile(folder, `file-${i}`);
    await git(['push', '-q', remote, 'main'], folder);
  }
  await until(() => maintained(0).length > 0);
  expect(maintained(0)[0]).toMatchObject({ account: 'local', repo_id: id, r2_a: 0, r2_b: 0 });
  expect(await cloneReads(remote, 33)).toBe(0);
  await commitFile(folder, 'after');
  await git(['push', '-q', remote, 'main'], folder);
  expect(await cloneReads(remote, 34)).toBe(0);
  expect(service.lines.filter((line) => line['level'] === 'error')).toEqual([]);
}, 120_000);

it('larger ones are merged into the bucket, and then a clone reads it a few times; workerd killed in between loses nothing', async () => {
  const from = service.lines.length;
  const { remote } = await service.createRepo('larger');
  for (let i = 0; i < 8; i++) {
    await commitFile(folder, `larger-${i}`, 1_200_000);
    await git(['push', '-q', remote, 'main'], folder);
  }
  const { pid } = JSON.parse(readFileSync(join(service.folder, 'workerd.json'), 'utf8')) as { pid: number };
  process.kill(pid, 'SIGKILL');
  // What died with it is done again after a while, or with the next push.
  await until(() =>
    fetch(`${service.url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  await commitFile(folder, 'again');
  await git(['push', '-q', remote, 'main'], folder);
  await until(() => maintained(from).some((line) => Number(line['r2_a']) > 0));
  const lines = maintained(from);
  // One pack of them all needs 3 puts, or 5 in two parts; merged step by step, each twice or so.
  expect(lines.reduce((sum, line) => sum + Number(line['r2_a']), 0)).toBeLessThan(30);
  expect(Number(await cloneReads(remote, 43))).toBeLessThan(12);
  await commitFile(folder, 'last');
  await git(['push', '-q', remote, 'main'], folder);
  expect(service.lines.filter((line) => line['level'] === 'error')).toEqual([]);
}, 180_000);
