import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { commitFile, git, newRepository } from './support/git.ts';
import { startLocalService, type LocalService } from './support/local-service.ts';

/** Bytes: nearly what a call can give. */
const size = 33_000_000;

const services: LocalService[] = [];

afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});

async function started(options?: Parameters<typeof startLocalService>[1]): Promise<LocalService> {
  const service = await startLocalService({}, options);
  services.push(service);
  return service;
}

/** Local workerd has no limit, so what reads reserve is looked at; `close` fails where it is more than an isolate has. */
it('BIND-075: large reads at the same time take turns with the memory of an isolate', async () => {
  const entry = fileURLToPath(new URL('app/checks.ts', import.meta.url));
  const repos = { HERE: { account: 'local', namespace: 'default' } };
  const before = await started();
  const repo = await before.createRepo('large');
  const folder = await newRepository();
  try {
    await commitFile(folder, 'large', size);
    await git(['push', '-q', repo.remote, 'main'], folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  // An isolate that has not had the push.
  await before.workerd.close();
  const service = await started({ folder: before.folder, apps: [{ name: 'checks', entry, repos }] });
  const { href } = new URL('/large', await service.workerd.appUrl('checks'));
  expect(await (await fetch(href)).json()).toEqual([size, size, size]);
  const reads = (): readonly unknown[] =>
    service.lines.filter(({ method }) => method === 'readFile').map((line) => Number(line['bytes_reserved']) > size);
  await expect.poll(reads).toEqual([true, true, true]);
}, 60_000);
