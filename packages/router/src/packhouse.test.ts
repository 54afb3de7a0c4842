import type { DeliveredEvent } from '@packhouse/hosting';
import { memoryStorage } from '@packhouse/storage';
import { describe, expect, it, vi } from 'vitest';
import { packhouse, type PackhouseOptions } from './packhouse.ts';

const edit = (account: string) => ({ account, permission: 'Repos Edit' });
const options: PackhouseOptions = { storage: memoryStorage(), authorize: async () => [edit('local')] };

const create = (service: { fetch: (request: Request) => Promise<Response> }, account = 'local'): Promise<Response> =>
  service.fetch(
    new Request(`http://127.0.0.1:8787/v4/accounts/${account}/repos/namespaces/default/repos`, {
      method: 'POST',
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
      body: '{"name":"notes"}',
    }),
  );

describe('packhouse', () => {
  it.each<[object | undefined, string]>([
    [undefined, 'storage must be storage, such as memoryStorage() or nodeStorage({ dataDir })'],
    [{ storage: memoryStorage }, 'storage must be storage, such as memoryStorage() or nodeStorage({ dataDir })'],
    [{ storage: memoryStorage() }, 'authorize must be a function from an API token to the list of what it allows'],
    [{ ...options, setings: {} }, 'setings is not an option of packhouse; did you mean settings?'],
    [{ ...options, zebra: 1 }, 'zebra is not an option of packhouse'],
    [{ ...options, storage: { catalog() {} } }, 'storage must be storage, such as memoryStorage()'],
    [{ ...options, outbound: { fetch() {} } }, 'outbound must have methods lookup and fetch'],
    [{ ...options, dialect: {} }, 'dialect must be a dialect, such as neutral'],
    [{ ...options, settings: [] }, 'settings must be an object'],
    [{ ...options, snapshotCache: -5 }, 'snapshotCache must be a number of bytes'],
    [{ ...options, engine: { codec: null } }, 'engine must be an engine'],
    [{ ...options, engine: {} }, 'engine must be an engine, such as createGitEngine({ codec: nodeCodec() })'],
    [{ ...options, log: true }, 'log must be a function'],
    [{ ...options, docs: 'no' }, 'docs must be true or false'],
    [{ ...options, settings: { publicUrl: 'x' } }, 'publicUrl is not a setting; did you mean public_url?'],
    [{ ...options, settings: { zebra: 1 } }, 'zebra is not a setting'],
  ])('rejects %j with a message that names the fault', (given, message) => {
    expect(() => packhouse(given as PackhouseOptions)).toThrow(message);
  });

  it.each([true, null, edit('local'), [true], [{ account: 'local' }], [{ permission: 'Repos Edit' }]])(
    'reports an authorize that returns %j',
    async (grants) => {
      const failures: unknown[] = [];
      const service = packhouse({
        ...options,
        authorize: async () => grants as never,
        failed: (error, requestId) => failures.push([String(error), typeof requestId]),
      });
      expect((await create(service)).status).toBe(500);
      expect(failures).toEqual([
        ['TypeError: authorize must answer undefined or a list such as [{ account, permission }]', 'string'],
      ]);
    },
  );

  it('REPO-217: refuses an account that it does not serve, even if the token allows it', async () => {
    const authorize = async () => [edit('local'), edit('shop')];
    const one = packhouse({ ...options, storage: memoryStorage(), authorize });
    expect([(await create(one)).status, (await create(one, 'shop')).status]).toEqual([201, 403]);
    const both = packhouse({ ...options, storage: memoryStorage(), authorize, settings: { accounts: ['shop'] } });
    expect([(await create(both)).status, (await create(both, 'shop')).status]).toEqual([403, 201]);
    const any = packhouse({ ...options, storage: memoryStorage(), authorize, settings: { accounts: 'any' } });
    expect((await create(any, 'shop')).status).toBe(201);
    await expect(any.start()).rejects.toThrow('accounts is "any", so start() needs a list of accounts');
  });

  it('REPO-217: refuses tags of an account that it does not serve, and of its zones', async () => {
    const grants = [
      { account: 'shop', permission: 'Tag Write' },
      { zone: 'z1', permission: 'Tag Write' },
    ];
    const zones = { accountOf: async () => 'shop' };
    const ask = async (served: string, place: string, request: RequestInit): Promise<number> => {
      const settings = { accounts: [served] };
      const { fetch } = packhouse({ ...options, authorize: async () => grants, zones, settings });
      const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
      return (await fetch(new Request(`http://127.0.0.1:8787/v4/${place}`, { ...request, headers }))).status;
    };
    const listed = (served: string) => ask(served, 'accounts/shop/tags/summary', {});
    expect([await listed('local'), await listed('shop')]).toEqual([403, 200]);
    const body = JSON.stringify({ resource_type: 'zone', resource_id: 'z1', tags: { a: 'b' } });
    const set = (served: string) => ask(served, 'zones/z1/tags', { method: 'PUT', body });
    expect([await set('local'), await set('shop')]).toEqual([403, 200]);
  });

  it('does not fail with a log that fails', async () => {
    const fail = (): never => {
      throw new Error('The log is full');
    };
    for (const receivers of [{ log: fail }, { failed: fail }, { log: fail, failed: fail }]) {
      const service = packhouse({ ...options, ...receivers, authorize: fail });
      expect((await create(service)).status).toBe(500);
    }
  });

  it('starts once, before the first request, and not after it was closed', async () => {
    const storage = memoryStorage();
    const service = packhouse({ ...options, storage });
    await Promise.all([service.start(), service.start()]);
    expect((await create(service)).status).toBe(201);
    await service.start();
    await service.close();
    await expect(packhouse({ ...options, storage }).close()).resolves.toBeUndefined();

    const late = packhouse({ ...options, storage: memoryStorage() });
    await create(late);
    await expect(late.start()).rejects.toThrow('Await start() before the service gets requests');

    const closed = packhouse({ ...options, storage: memoryStorage() });
    await closed.close();
    await expect(closed.start()).rejects.toThrow('The service is closed');
  });

  it('stops background work whose start was still running when it was closed', async () => {
    const isClosed = vi.fn();
    const events = { due: vi.fn(async () => []), whenRecorded: () => {}, forgetKept: async () => {} };
    const service = packhouse({ ...options, storage: { ...memoryStorage(), events, close: isClosed } });
    const starting = service.start();
    await Promise.all([starting, service.close()]);
    const asked = events.due.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(events.due.mock.calls.length).toBe(asked);
    expect(isClosed).toHaveBeenCalledOnce();
  });

  it('delivers the events of memory storage after start, and closes the storage only once', async () => {
    const events: DeliveredEvent[] = [];
    const close = vi.fn();
    const service = packhouse({
      ...options,
      storage: { ...memoryStorage(), close },
      onEvent: async (event) => void events.push(event),
    });
    await service.start();
    await create(service);
    await vi.waitFor(() => expect(events.length).toBeGreaterThan(0), { timeout: 10_000 });
    await Promise.all([service.close(), service.close()]);
    expect(close).toHaveBeenCalledOnce();
  });

  it('REPO-381: a client that leaves during a ping is no failure of the service', async () => {
    const failures: unknown[] = [];
    const client = new AbortController();
    const service = packhouse({
      ...options,
      storage: memoryStorage(),
      outbound: {
        lookup: async () => ['93.184.216.34'],
        fetch: async () => {
          client.abort();
          return new Promise<never>(() => {});
        },
      },
      failed: (error) => failures.push(error),
    });
    await create(service);
    const post = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
      service.fetch(
        new Request(`http://127.0.0.1:8787/v4/accounts/local/repos/namespaces/default/repos/notes/webhooks${path}`, {
          method: 'POST',
          headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
          body: JSON.stringify(body),
          ...(signal && { signal }),
        }),
      );
    const made = (await (await post('', { url: 'https://hooks.example/' })).json()) as { result: { id: string } };
    expect((await post(`/${made.result.id}/ping`, {}, client.signal)).status).toBe(499);
    expect(failures).toEqual([]);
  });
});
