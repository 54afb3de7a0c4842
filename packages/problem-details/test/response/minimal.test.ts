import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../src/render/html/content-security-policy.ts';
import { createPlatformErrors } from '../../src/response/create.ts';
import { mediaTypes, requestFor, requestForJson } from './responses.ts';

const errors = createPlatformErrors();

describe('ERR-100: a minimal reply', () => {
  it.each(mediaTypes)('is negotiated: %s', async (type) => {
    const response = errors.minimal(requestFor(type), 404, 'Nothing is here.');
    expect([response.status, response.headers.get('content-type')]).toEqual([404, `${type}; charset=utf-8`]);
    const body = await response.text();
    expect(response.headers.get('content-length')).toBe(String(new TextEncoder().encode(body).length));
    expect(response.headers.get('content-security-policy')).toBe(type === 'text/html' ? contentSecurityPolicy : null);
    expect(body).toContain('Nothing is here.');
    expect(body).not.toMatch(/error_code|platform_error/);
  });

  it('has an exact form in JSON and Markdown', async () => {
    const json = errors.minimal(requestForJson(), 405, 'No.');
    expect(await json.text()).toBe('{"type":"about:blank","title":"Method Not Allowed","status":405,"detail":"No."}\n');
    expect(await errors.minimal(requestFor('text/markdown'), 405, 'No.').text()).toBe(
      '# 405 Method Not Allowed\n\nNo.\n',
    );
  });

  it('has the headers of section 6 except Retry-After, and the given ones', async () => {
    const given = { Allow: 'GET', 'Retry-After': '7', 'Set-Cookie': 'a=b', Vary: 'Origin' };
    const { headers } = errors.minimal(requestForJson(), 405, 'No.', given);
    const full = await errors.respond(requestForJson(), 1015);
    const names = [...full.headers.keys()].filter((name) => name !== 'retry-after');
    expect([...headers.keys()].toSorted()).toEqual([...names, 'allow'].toSorted());
    expect([headers.get('allow'), headers.get('vary')]).toEqual(['GET', 'Origin, Accept']);
  });

  it('has a status from 400 to 599, and is refused with any other', () => {
    for (const status of [400, 599]) expect(errors.minimal(requestForJson(), status, 'No.').status).toBe(status);
    for (const status of [101, 200, 204, 304, 399, 600, 404.5, Number.NaN, '404' as unknown as number]) {
      expect(() => errors.minimal(requestForJson(), status, 'No.')).toThrow(
        new RangeError(`the status of a minimal reply must be a whole number from 400 to 599, not ${status}`),
      );
    }
  });

  it('has no body for HEAD', async () => {
    const get = errors.minimal(requestFor(), 404, 'No.');
    const head = errors.minimal(requestFor(undefined, { method: 'HEAD' }), 404, 'No.');
    expect([head.status, await head.text()]).toEqual([404, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });
});
