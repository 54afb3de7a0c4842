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

async function alarm(step: string): Promise<(typeof service.lines)[number]> {
  for (let waited = 0; waited < 400; waited++) {
    const line = service.lines.find((one) => one['event'] === 'alarm' && String(one['steps']).includes(step));
    if (line !== undefined) return line;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`no alarm has done "${step}"`);
}

it('33 small pushes are moved to the bucket, three puts each, and all of it is still there', async () => {
  const { remote } = await service.createRepo('many');
  for (let i = 0; i < 33; i++) {
    await commitFile(folder, `file-${i}`);
    await git(['push', '-q', remote, 'main'], folder);
  }
  expect(await alarm('move rows')).toMatchObject({ r2_a: 33 * 3, r2_b: 0 });
  const copy = join(folder, '.copy');
  await git(['clone', '-q', '--bare', remote, copy]);
  expect(await git(['rev-list', '--count', 'main'], copy)).toBe('33\n');
  expect(await git(['fsck', '--full'], copy)).toBe('');
  await commitFile(folder, 'after');
  await git(['push', '-q', remote, 'main'], folder);
  expect(service.lines.filter((line) => line['level'] === 'error')).toEqual([]);
}, 120_000);
