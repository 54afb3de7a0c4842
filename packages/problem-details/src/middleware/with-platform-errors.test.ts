import { describe, expect, expectTypeOf, it } from 'vitest';
import { createPlatformErrors } from '../response/create.ts';
import { PlatformError } from '../thrown/platform-error.ts';
import { withPlatformErrors } from './with-platform-errors.ts';

const request = new Request('https://shop.example/', { headers: { accept: 'application/json' } });

describe('withPlatformErrors', () => {
  it.each([undefined, { fetch: () => new Response() }])('refuses a value that is not a function: %o', (handler) => {
    expect(() => withPlatformErrors(handler as never)).toThrow(/^withPlatformErrors takes a function of the request/);
  });

  it('refuses options that are not an object', () => {
    expect(() => withPlatformErrors(() => new Response(), 'cloudflare' as never)).toThrow(
      /^options must be an object$/,
    );
  });

  it('ERR-120: passes all arguments to the handler, and returns its response', async () => {
    const response = new Response('own', { status: 500 });
    const asked: unknown[] = [];
    const fetch = withPlatformErrors((...all: [Request, { readonly NAME: string }, symbol]) => {
      asked.push(...all);
      return response;
    });
    expectTypeOf(fetch).parameters.toEqualTypeOf<[Request, { readonly NAME: string }, symbol]>();
    const context = Symbol('context');
    expect(await fetch(request, { NAME: 'x' }, context)).toBe(response);
    expect(asked).toEqual([request, { NAME: 'x' }, context]);
  });

  it('ERR-120: calls the handler with its this', async () => {
    const server = {
      name: 'mine',
      fetch: withPlatformErrors(function (this: { readonly name: string }) {
        return new Response(this.name);
      }),
    };
    expect(await (await server.fetch(request)).text()).toBe('mine');
  });

  it('ERR-120: returns undefined if the handler does, as on Bun after an upgrade', async () => {
    const fetch = withPlatformErrors((asked: Request, server: { upgrade(asked: Request): boolean }) => {
      if (server.upgrade(asked)) return undefined;
      return new Response('no web socket');
    });
    expectTypeOf(fetch).returns.resolves.toEqualTypeOf<Response | undefined>();
    expect(await fetch(request, { upgrade: () => true })).toBeUndefined();
    expect(await (await fetch(request, { upgrade: () => false }))?.text()).toBe('no web socket');
  });

  it('ERR-121: answers a platform error, with options or with the result of createPlatformErrors', async () => {
    const fail = (): Response => {
      throw new PlatformError(1020);
    };
    for (const given of [{ site: 'ABC' }, createPlatformErrors({ site: 'ABC' })]) {
      const response = await withPlatformErrors(fail, given)(request);
      expect(response.status).toBe(403);
      expect(response.headers.get('x-ray-id')).toMatch(/-ABC$/);
    }
  });

  it('refuses invalid options', () => {
    expect(() => withPlatformErrors(() => new Response(), { unhandledCode: 4711 })).toThrow(/unhandledCode/);
  });
});
