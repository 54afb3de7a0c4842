import { describe, expect, it } from 'vitest';
import { customErrors } from '../../src/custom/custom-errors.ts';
import { createPlatformErrors } from '../../src/response/create.ts';
import type { LogRecord } from '../../src/response/log.ts';
import { mediaTypes, ownEntry, problemOf, requestForJson } from './responses.ts';
import { errorRoute, type ErrorRouteOptions } from '../../src/middleware/error-route.ts';

const told: LogRecord[] = [];
const errors = createPlatformErrors({
  ownCodes: [ownEntry],
  ownCategories: ['x_kitchen'],
  log: (record) => told.push(record),
  customErrors: customErrors({
    rules: [{ id: 'a', enabled: true, when: {}, content_type: 'text/plain', content: 'a rule' }],
    pages: { '500_errors': 'a page', '1000_errors': 'a page', other_errors: 'a page' },
  }),
});

const ask = (path: string, init: RequestInit = {}, options?: ErrorRouteOptions): Promise<Response> | undefined =>
  errorRoute(errors, options)(new Request(`https://shop.example${path}`, { ...requestInit, ...init }));
const requestInit = { headers: { accept: 'application/json' } };

/** Returns the status of the reply, and its code; `minimal` for a reply without code. */
const outcome = async (path: string, init: RequestInit = {}): Promise<[number, unknown] | 'not the route'> => {
  const response = await ask(path, init);
  if (response === undefined) return 'not the route';
  const text = await response.text();
  if (text === '') return [response.status, 'no body'];
  return [response.status, (JSON.parse(text) as { error_code?: number }).error_code ?? 'minimal'];
};

describe('the error route', () => {
  it('ERR-092: shows the error response of each code of the catalogue, in each format', async () => {
    for (const { code, http_status } of errors.catalogue.entries) {
      expect(await outcome(`/cdn-cgi/error/${code}`)).toEqual([http_status, code]);
    }
    for (const accept of mediaTypes) {
      const response = await ask('/cdn-cgi/error/522', { headers: { accept } });
      const same = await errors.builtIn(new Request('https://shop.example/', { headers: { accept } }), 522);
      expect(response?.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
      expect([...(response?.headers.keys() ?? [])]).toEqual([...same.headers.keys()]);
    }
  });

  it('ERR-093: shows the same to HEAD, without body', async () => {
    const response = await ask('/cdn-cgi/error/522', { method: 'HEAD' });
    const got = await ask('/cdn-cgi/error/522');
    expect([response?.status, await response?.text()]).toEqual([522, '']);
    expect(response?.headers.get('content-length')).toBe(String((await got?.arrayBuffer())?.byteLength));
  });

  it('ERR-094: replies 404 for an unknown code', async () => {
    for (const code of [9999, 100, 501, 999_999_999]) {
      expect(await outcome(`/cdn-cgi/error/${code}`)).toEqual([404, 'minimal']);
    }
    expect(await outcome('/cdn-cgi/error/9999', { method: 'HEAD' })).toEqual([404, 'no body']);
  });

  it('ERR-095: replies 404 for other text', async () => {
    const none = [
      'abc',
      '0522',
      '+522',
      '522.0',
      '-1',
      '22',
      '5220000000',
      '5%202',
      '522%20',
      '522%0a',
      '٥٢٢',
      '%zz',
      '522%',
    ];
    const segments = ['', '/', '522//', '522/1', '5/22', '522%2F', '%2F522', '/522', '//522', '522/abc/'];
    for (const code of [...none, ...segments]) {
      expect([code, await outcome(`/cdn-cgi/error/${code}`)]).toEqual([code, [404, 'minimal']]);
    }
    expect(await outcome('/cdn-cgi/error')).toEqual([404, 'minimal']);
  });

  it('ERR-095: reads the code after percent-decoding', async () => {
    expect(await outcome('/cdn-cgi/error/%35%32%32')).toEqual([522, 522]);
    expect(await outcome('/cdn-cgi/error/10%315/')).toEqual([429, 1015]);
    expect(await outcome('/cdn-cgi/error/%2535')).toEqual([404, 'minimal']);
  });

  it('ERR-096: accepts one slash at the end, and any query', async () => {
    for (const rest of ['522/', '522?', '522?a=b/c', '522/?code=1', '522#a']) {
      expect(await outcome(`/cdn-cgi/error/${rest}`)).toEqual([522, 522]);
    }
  });

  it('ERR-092: is found in a URL that the runtime did not normalise', async () => {
    for (const path of ['/cdn-cgi\\error/522', '/cdn-cgi/./error/522', '/a/../cdn-cgi/error/522']) {
      const request = new Request('https://shop.example/', requestInit);
      Object.defineProperty(request, 'url', { value: `https://shop.example${path}` });
      expect((await errorRoute(errors)(request))?.status, path).toBe(522);
    }
  });

  it('ERR-097: replies 405 for another method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      for (const code of ['522', '9999']) {
        const response = await ask(`/cdn-cgi/error/${code}`, { method });
        expect([response?.status, response?.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
        expect(await response?.json()).not.toHaveProperty('error_code');
      }
    }
  });

  it('ignores other paths', async () => {
    for (const path of [
      '/',
      '/cdn-cgi/',
      '/cdn-cgi/errors/522',
      '/cdn-cgi/error522',
      '/CDN-CGI/error/522',
      '/a/cdn-cgi/error/522',
      '/a?b=/cdn-cgi/error/522',
      '/a#/cdn-cgi/error/522',
    ]) {
      expect(await outcome(path)).toBe('not the route');
    }
  });

  it('ERR-098: shows the built-in response to all clients, regardless of rules and pages', async () => {
    expect(await outcome('/cdn-cgi/error/522')).toEqual([522, 522]);
    expect(await (await errors.respond(requestForJson(), 522)).text()).toBe('a rule');
  });
});

describe('ERR-099: a limiter of the error route', () => {
  it('answers code 1015 in the negotiated format', async () => {
    for (const accept of mediaTypes) {
      for (const path of ['/cdn-cgi/error/522', '/cdn-cgi/error/abc']) {
        const response = await ask(path, { headers: { accept } }, { limiter: () => ({ retryAfter: 7 }) });
        expect(response?.status).toBe(429);
        expect(response?.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
        expect(response?.headers.get('retry-after')).toBe('7');
      }
    }
    const limited = await ask('/cdn-cgi/error/522', {}, { limiter: async () => ({}) });
    expect(await problemOf(limited as Response)).toMatchObject({ error_code: 1015, retry_after: 30 });
  });

  it('receives only requests for the route, and may let them pass', async () => {
    const seen: string[] = [];
    const limiter = ({ url }: Request): undefined => void seen.push(url);
    expect((await ask('/cdn-cgi/error/522', {}, { limiter }))?.status).toBe(522);
    expect(await ask('/other', {}, { limiter })).toBeUndefined();
    expect(seen).toEqual(['https://shop.example/cdn-cgi/error/522']);
    expect((await ask('/cdn-cgi/error/522', {}, { limiter: async () => undefined }))?.status).toBe(522);
  });

  it('that fails lets requests pass, and the failure is logged', async () => {
    const limiter = (): never => {
      throw new Error('out of order');
    };
    const before = told.length;
    expect((await ask('/cdn-cgi/error/522', {}, { limiter }))?.status).toBe(522);
    expect((await ask('/cdn-cgi/error/522', {}, { limiter: async () => limiter() }))?.status).toBe(522);
    const failed = { event: 'fallback', ray_id: '', stage: 'limiter', message: 'out of order' };
    expect(told.slice(before)).toEqual([failed, failed]);
  });

  it('lets requests pass if it returns another type, and sends a wait only if given', async () => {
    for (const nothing of [null, false, 0, '']) {
      const limiter = (() => nothing) as unknown as NonNullable<ErrorRouteOptions['limiter']>;
      expect([nothing, (await ask('/cdn-cgi/error/522', {}, { limiter }))?.status]).toEqual([nothing, 522]);
    }
    const hostile = {
      get retryAfter(): never {
        throw new Error('no time');
      },
    };
    const before = told.length;
    expect((await ask('/cdn-cgi/error/522', {}, { limiter: () => hostile }))?.status).toBe(522);
    expect(told.slice(before)).toEqual([{ event: 'fallback', ray_id: '', stage: 'limiter', message: 'no time' }]);
  });

  it('and the route itself are not logged as incidents', async () => {
    const before = told.length;
    await ask('/cdn-cgi/error/522');
    await ask('/cdn-cgi/error/9999');
    await ask('/cdn-cgi/error/522', {}, { limiter: () => ({}) });
    expect(told.length).toBe(before);
  });
});
