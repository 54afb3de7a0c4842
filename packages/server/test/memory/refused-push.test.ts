/** LIM-080: a refused push holds none of its bytes while the client still sends. */

import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { change, pack } from '@packhouse/conformance/tools/made-objects';
import { pushBody, set } from '@packhouse/conformance/tools/wire-client';
import { heldBuffers } from '@packhouse/fixtures';
import { expect, it } from 'vitest';
import { memoryService } from '../support/memory-service.ts';

it('LIM-080: frees the bytes of a refused push before the client has sent all', async () => {
  const failures: unknown[] = [];
  const engine = createGitEngine({ codec: nodeCodec() });
  const url = 'http://127.0.0.1:8787';
  const service = memoryService(engine, url, failures);
  const made = await service(
    new Request(`${url}/v4/accounts/local/repos/namespaces/default/repos`, {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'refused' }),
    }),
  );
  const { result } = (await made.json()) as { result: { readonly remote: string; readonly token: string } };
  const one = change('first');
  const begun = pushBody([set('refs/heads/main', one)], pack(...one.all)).subarray(0, -30);
  const broken = Buffer.concat([begun, Buffer.alloc(2_000_000, 'x')]);
  const ends: (() => void)[] = [];
  const push = async (): Promise<string> => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < broken.length; at += 65_536) controller.enqueue(broken.subarray(at, at + 65_536));
        ends.push(() => controller.close());
      },
    });
    const headers = {
      authorization: `Bearer ${result.token}`,
      'content-type': 'application/x-git-receive-pack-request',
    };
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
    return (await service(new Request(`${result.remote}/git-receive-pack`, init))).text();
  };
  const before = await heldBuffers();
  const pushes = Array.from({ length: 20 }, push);
  await expect.poll(() => [ends.length, engine.admission.opened, engine.admission.reserved]).toEqual([20, 20, 0]);
  const after = await heldBuffers();
  expect(after - before).toBeLessThan(10_000_000);
  for (const end of ends) end();
  for (const reply of await Promise.all(pushes)) expect(reply).toContain('unpack ');
  expect(failures).toEqual([]);
});
