import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bun, deno } from '@packhouse/fixtures/runtimes';
import { startFaultyProxy, startS3Server } from '@packhouse/fixtures/s3';
import { expect, it } from 'vitest';

it.each([
  ['Node', process.execPath, []],
  ['Deno', deno, ['run', '--allow-all']],
  ['Bun', bun, []],
] as const)('REPO-325: packs in a bucket on %s, with the length and SHA-256 of each body', async (_, program, args) => {
  const server = await startS3Server('s3rver');
  const proxy = await startFaultyProxy(server.endpoint);
  try {
    const { accessKeyId, secretAccessKey } = server.credentials;
    const script = fileURLToPath(import.meta.resolve('./store-in-bucket.ts'));
    const { stdout } = await promisify(execFile)(program, [
      ...args,
      script,
      proxy.endpoint,
      accessKeyId,
      secretAccessKey,
    ]);
    expect(JSON.parse(stdout)).toEqual({ read: 9_000_000, wrong: 0, isSame: true, left: null });
    expect(proxy.requests.filter(({ headers }) => 'transfer-encoding' in headers)).toEqual([]);
  } finally {
    await proxy.close();
    await server.close();
  }
});
