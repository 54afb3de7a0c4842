import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../src/catalogue/catalogue.ts';
import { neutral } from '../../src/dialect/neutral.ts';
import { negotiate } from '../../src/negotiation/negotiate.ts';
import { describeError } from '../../src/problem/describe.ts';
import { render } from '../../src/render/render.ts';
import { PlatformErrorOptionsError } from '../../src/response/options-error.ts';
import { respond } from '../../src/response/respond.ts';
import { requestFor, requestForJson } from './responses.ts';

describe('ERR-141: the three layers', () => {
  it('work separately', async () => {
    const entry = createCatalogue().get(522);
    if (entry === undefined) throw new Error('no 522');
    const facts = { rayId: '0123456789abcdef', now: 0, zone: 'shop.example' };
    const report = describeError(entry, facts, { dialect: neutral, docsBase: 'https://packhouse.example' });
    const options = {
      clock: () => 0,
      random: (bytes: Uint8Array) => void bytes.set([1, 35, 69, 103, 137, 171, 205, 239]),
    };
    for (const accept of ['text/html', 'application/json', 'application/problem+json', 'text/markdown']) {
      const response = await respond(requestFor(accept), 522, options);
      expect(await response.text()).toBe(render(report, negotiate(accept)));
    }
  });

  it('answer without setup', async () => {
    const response = await respond(requestForJson(), 1015);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '30']);
    expect((await respond(requestForJson(), { code: 1015, retryAfter: 7 })).headers.get('retry-after')).toBe('7');
  });

  it('check the options of respond', async () => {
    await expect(respond(requestForJson(), 1015, { site: 'nowhere' })).rejects.toThrow(PlatformErrorOptionsError);
    const options = { site: 'AKL' };
    for (let time = 0; time < 2; time++) {
      expect((await respond(requestForJson(), 1015, options)).headers.get('x-ray-id')).toMatch(/-AKL$/);
    }
  });
});
