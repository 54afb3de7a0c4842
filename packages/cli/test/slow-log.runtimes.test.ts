/** A slow reader of the log must not end the server: on Deno, writing to a full pipe throws. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer, type KillableServer } from './support/killable-server.ts';

let root: string | undefined;
let server: KillableServer | undefined;

afterEach(async () => {
  await server?.kill();
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
});

// On Node, writing to a pipe waits for its reader, as Node documents.
describe.runIf(process.platform === 'linux').each(['deno', 'bun'] as const)('serve --runtime %s', (runtime) => {
  it('keeps running while no process reads its log, and writes the lines later', async () => {
    root = mkdtempSync(join(tmpdir(), 'packhouse-log-'));
    server = await startServer(join(root, 'data'), 0, runtime);
    server.process.stderr?.pause();
    // Some megabytes of lines: more than a pipe and the buffers at its ends hold.
    const path = 'x'.repeat(6_000);
    for (let i = 0; i < 40; i++) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => fetch(`${server?.url}/v4/${path}`)));
      for (const reply of replies) {
        await reply.arrayBuffer();
        expect(reply.status).toBe(404);
      }
    }
    server.process.stderr?.resume();
    await expect.poll(() => server?.logged('"status":404'), { timeout: 30_000 }).toBeGreaterThanOrEqual(150);
    expect(await server.stop()).toBe(0);
  });
});
