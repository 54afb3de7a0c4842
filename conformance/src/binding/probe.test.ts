import { describe, expect, it } from 'vitest';
import type { Binding } from '../core/binding.ts';
import { bindingClient } from './client.ts';
import { BindingFailure } from './failure.ts';
import { bindingProbe } from './probe.ts';

const secret = 'a-secret-of-sixteen-or-more';

/** Returns a client of a binding with these methods, through a probe. */
function probed(methods: object, options: { readonly given?: string; readonly tokens?: string[] } = {}): Binding {
  const probe = bindingProbe({ bindings: { one: () => methods }, secret });
  return bindingClient({
    url: 'http://probe/',
    secret: options.given ?? secret,
    namespace: 'one',
    send: (url, init) => probe(new Request(url, init)),
    making: () => undefined,
    token: (token) => options.tokens?.push(token),
  });
}

class OwnError extends Error {
  override readonly name = 'RepoError';
  readonly code = 'NOT_FOUND';
}

describe('a probe', () => {
  it('requires a long secret, and refuses requests without it', async () => {
    expect(() => bindingProbe({ bindings: {}, secret: 'short' })).toThrow(RangeError);
    await expect(probed({}, { given: `${secret}x` }).list()).rejects.toThrow('the probe answered 404');
    const probe = bindingProbe({ bindings: { one: () => ({}) }, secret });
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await probe(new Request('http://probe/', { method }))).status).toBe(404);
    const asked = { namespace: 'one', act: 'call', name: 'list', args: [] };
    const wrong = [{ namespace: 7 }, { handle: {} }, { act: 'run' }, { name: null }, { args: 'x' }];
    const bodies = ['{', 'null', '[]', ...wrong.map((one) => JSON.stringify({ ...asked, ...one }))];
    for (const body of [...bodies, JSON.stringify({ ...asked, name: 'x'.repeat(1_048_576) })]) {
      const init = { method: 'POST', headers: { 'binding-probe-secret': secret }, body };
      expect([body.slice(0, 60), (await probe(new Request('http://probe/', init))).status]).toEqual([
        body.slice(0, 60),
        400,
      ]);
    }
  });

  it('stops reading a request at its limit', async () => {
    const probe = bindingProbe({ bindings: { one: () => ({}) }, secret });
    let taken = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        taken += 1;
        if (taken > 64) throw new Error('all of it was taken in');
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const init = { method: 'POST', headers: { 'binding-probe-secret': secret }, body, duplex: 'half' };
    expect((await probe(new Request('http://probe/', init))).status).toBe(400);
  });

  it('passes values unchanged, both ways', async () => {
    const seen: unknown[][] = [];
    const binding = probed({
      list: async (...args: unknown[]) => {
        seen.push(args);
        return { none: undefined, nothing: null, list: [1, 'a'], far: Number.NaN };
      },
    });
    expect(await binding.list({ limit: Number.POSITIVE_INFINITY, cursor: undefined })).toEqual({
      none: undefined,
      nothing: null,
      list: [1, 'a'],
      far: Number.NaN,
    });
    expect(seen).toEqual([[{ limit: Number.POSITIVE_INFINITY, cursor: undefined }]]);
    expect(Object.hasOwn((seen[0]?.[0] ?? {}) as object, 'cursor')).toBe(true);
  });

  it('sends a blob with its type and bytes, and of a large one only the digest', async () => {
    const binding = probed({
      get: async () => ({
        readBlob: async (size: number) =>
          new Blob([new Uint8Array(size).fill(7)], { type: 'text/plain;charset=utf-8' }),
      }),
    });
    const repo = await binding.get('x');
    const small = await repo.readBlob(10_000);
    expect(small).toMatchObject({ type: 'text/plain;charset=utf-8', size: 10_000 });
    expect(small?.bytes).toEqual(new Uint8Array(10_000).fill(7));
    const large = await repo.readBlob(1_048_577);
    expect(large).toMatchObject({ size: 1_048_577, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(large?.bytes).toBeUndefined();
  });

  it('sends an error with its own members', async () => {
    const call = probed({ list: async () => Promise.reject(new OwnError('gone')) }).list();
    await expect(call).rejects.toBeInstanceOf(BindingFailure);
    await expect(call).rejects.toMatchObject({
      error: { isError: true, name: 'RepoError', message: 'gone', own: { name: 'RepoError', code: 'NOT_FOUND' } },
    });
  });

  it('reports a call that throws at once or returns no promise, and values that are not plain data', async () => {
    const thrown = (): never => {
      throw new OwnError('at once');
    };
    for (const list of [thrown, () => ({ repos: [] })])
      await expect(probed({ list }).list()).rejects.toThrow('gave no promise (BIND-016)');
    for (const value of [new Map(), { at: new Date() }, { run: () => 1 }, [new OwnError('x')]])
      await expect(probed({ list: async () => value }).list()).rejects.toThrow('is no plain data (BIND-015)');
  });

  it('changes its arguments, so that a reused result is noticed', async () => {
    const shared = { repos: [{ id: 'a' }], total: 1 };
    const binding = probed({ list: async () => shared });
    expect(await binding.list()).toEqual({ repos: [{ id: 'a' }], total: 1 });
    expect(await binding.list()).toEqual({ repos: 'spoiled', total: 'spoiled' });
  });

  it('keeps handles, and drops the oldest if there are too many', async () => {
    let made = 0;
    const disposed: number[] = [];
    const binding = probed({
      get: async () => {
        const own = made++;
        return { info: async () => ({ id: own }), [Symbol.dispose]: () => disposed.push(own) };
      },
    });
    const first = await binding.get('x');
    const second = await binding.get('x');
    expect([await first.info(), await second.info()]).toEqual([{ id: 0 }, { id: 1 }]);
    for (let more = 0; more < 999; more += 1) await binding.get('x');
    await expect(first.info()).rejects.toThrow('no such binding or handle');
    expect(await second.info()).toEqual({ id: 1 });
    expect(disposed).toEqual([0]);
  });

  it('calls methods on their object, and reports missing methods', async () => {
    class Repos {
      readonly #name = 'own';
      async list(): Promise<object> {
        return { name: this.#name };
      }
    }
    const binding = probed(new Repos());
    expect(await binding.list()).toEqual({ name: 'own' });
    await expect(binding.call('erase')).rejects.toThrow('there is no method erase');
  });

  it('reports the tokens in a result to the client', async () => {
    const tokens: string[] = [];
    await probed({ create: async () => ({ token: 'rht_v1_abc' }) }, { tokens }).create('x');
    expect(tokens).toEqual(['rht_v1_abc']);
  });
});
