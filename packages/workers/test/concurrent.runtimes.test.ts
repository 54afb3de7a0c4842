import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitFile, git, newRepository, tryGit } from './support/git.ts';
import { startLocalService, type LocalService } from './support/local-service.ts';

let service: LocalService;
let folder: string;

beforeAll(async () => {
  service = await startLocalService();
  folder = await newRepository();
  await commitFile(folder, 'first');
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

it('GIT-125: 50 pushes at once to one repo are taken or told that a ref is stale, and none fails otherwise', async () => {
  const { remote } = await service.createRepo('contended');
  await git(['push', '-q', remote, 'main'], folder);
  const commits: string[] = [];
  for (let i = 0; i < 50; i++) {
    const commit = [
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example.com',
      'commit-tree',
      '-p',
      'main',
      '-m',
      String(i),
    ];
    commits.push((await git([...commit, 'main^{tree}'], folder)).trim());
  }
  // Half of them race for one branch, the others each make their own.
  const pushes = commits.map(async (commit, i) => {
    const ref = i % 2 === 0 ? 'main' : `own-${i}`;
    return { ref, ...(await tryGit(['push', '--porcelain', remote, `${commit}:refs/heads/${ref}`], folder)) };
  });
  const results = await Promise.all(pushes);
  for (const { ref, status, stdout, stderr } of results) {
    if (ref !== 'main') expect({ ref, status, stderr }).toMatchObject({ status: 0 });
    else if (status !== 0) expect(stdout + stderr).toMatch(/stale ref|fetch first|non-fast-forward/);
  }
  expect(results.filter(({ ref, status }) => ref === 'main' && status === 0)).toHaveLength(1);
  expect(service.lines.filter((line) => Number(line['status']) >= 500)).toEqual([]);
  const refs = (await git(['ls-remote', remote])).trim().split('\n');
  expect(refs).toHaveLength(2 + 25);
}, 180_000);

/** Pushes `main`, again where a body above 16 KiB met others that filled the memory (LIM-080). */
async function pushUntilThereIsRoom(remote: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { status, stderr } = await tryGit(['push', '-q', remote, 'main'], folder);
    if (status === 0) return;
    expect(tries < 10 ? stderr : 'no room after ten tries').toContain('not enough memory now, try again');
    await wait(200);
  }
}

it('100 repos are made, pushed to and cloned at once', async () => {
  const one = async (number: number): Promise<void> => {
    const { remote } = await service.createRepo(`one-of-${number}`);
    await pushUntilThereIsRoom(remote);
    const copy = join(folder, `.copy-${number}`);
    await git(['clone', '-q', '--bare', remote, copy]);
    expect(await git(['rev-parse', 'main'], copy)).toBe(await git(['rev-parse', 'main'], folder));
  };
  await Promise.all(Array.from({ length: 100 }, (_, number) => one(number)));
  const { body } = await service.rest('GET', '/namespaces/default/repos?limit=200');
  expect(body.result).toHaveLength(101);
  expect(service.lines.filter((line) => Number(line['status']) >= 500)).toEqual([]);
}, 300_000);
