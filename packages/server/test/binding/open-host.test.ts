import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openHost, StartError, type HostOptions } from '@packhouse/server';
import { serveNode } from '@packhouse/server/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder } from '../support/test-server.ts';

let data: string;
beforeEach(() => {
  data = makeFolder();
});
afterEach(() => removeFolder(data));

const repos = [
  { binding: 'REPOS', namespace: 'default' },
  { binding: 'SAME', namespace: 'Default' },
  { binding: '__proto__', namespace: 'other' },
];

describe('the service in the process of an app', () => {
  it('BIND-001, BIND-004, BIND-020: has the bindings of its configuration on env, and answers requests', async () => {
    const host = await openHost({ data, config: { settings: {}, repos } });
    expect(Object.keys(host.env)).toEqual(['REPOS', 'SAME', '__proto__']);
    await host.env['REPOS']?.create('notes');
    expect((await host.env['SAME']?.list())?.total).toBe(1);
    const reply = await host.fetch(
      new Request('http://127.0.0.1:8787/v4/accounts/local/repos/namespaces/default/repos/notes', {
        headers: { authorization: `Bearer ${host.keptToken?.token}` },
      }),
    );
    expect(await reply.json()).toMatchObject({ result: { name: 'notes' } });
    await Promise.all([host.close(), host.close()]);
    await expect(host.env['REPOS']?.list()).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('BIND-020: is what a server of this process has, too, over the same data', async () => {
    const host = await openHost({ data, config: { settings: {}, repos } });
    await host.env['REPOS']?.create('notes');
    await expect(openHost({ data })).rejects.toThrow(StartError);
    await host.close();
    const serving = await serveNode({ data, port: 0, config: { settings: {}, repos } });
    using handle = await serving.env['REPOS']?.get('notes');
    expect((await handle?.info())?.remote).toBe(`${serving.url}/git/local/default/notes.git`);
    await serving.close();
  });

  it('LIM-059: warns of a request_memory_max that memory_max has no room for', async () => {
    const logged: unknown[] = [];
    const open = async (request_memory_max?: number): Promise<void> => {
      const settings = request_memory_max === undefined ? {} : { request_memory_max };
      const config = { settings, memory_max: 268_435_456 };
      await (await openHost({ data, config, log: (entry) => logged.push(entry) })).close();
    };
    await open();
    await open(40_000_000);
    expect(logged).toEqual([]);
    await open(60_000_000);
    const warning = expect.stringMatching(
      /^request_memory_max is 60000000, but memory_max leaves 4\d{7} bytes for one request: raise memory_max$/,
    );
    expect(logged).toEqual([expect.objectContaining({ level: 'warn', event: 'open', warning })]);
  });

  it.each<[NonNullable<HostOptions['config']>, string]>([
    [{ settings: {}, repos: [{ binding: 'no-name', namespace: 'default' }] }, 'repos[0].binding: expected a Java'],
    [{ settings: {}, repos: [...repos, { binding: 'REPOS', namespace: 'x1' }] }, 'repos[3].binding: "REPOS" is'],
    [{ settings: {}, repos: [{ binding: 'B', namespace: 'x' }] }, 'repos[0].namespace: expected 2 to 63 characters'],
    [
      { settings: {}, dialect: 'cloudflare', repos },
      'repos: in the dialect "cloudflare" the list of bindings is "artifac',
    ],
  ])('BIND-002: does not start with a broken entry: %j', async (config, message) => {
    for (const start of [() => openHost({ data, config }), () => serveNode({ data, port: 0, config })]) {
      const error: unknown = await start().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StartError);
      expect((error as StartError).message).toContain(`The configuration: ${message}`);
    }
    // The folder is not locked any more.
    expect(existsSync(join(data, 'lock.db'))).toBe(true);
    await (await openHost({ data })).close();
  });
});
