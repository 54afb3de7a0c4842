import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../catalogue/catalogue.ts';
import { neutral } from '../dialect/neutral.ts';
import { negotiate } from '../negotiation/negotiate.ts';
import { describeError } from '../problem/describe.ts';
import { render } from '../render/render.ts';
import { PlatformErrorOptionsError } from './options-error.ts';
import { respond } from './respond.ts';
import { requestFor, requestForJson } from './responses.test.util.ts';

describe('ERR-141: the three layers', () => {
  it('work alone', async () => {
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

  it('answer without anything to set up', async () => {
    const response = await respond(requestForJson(), 1015);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '30']);
    expect((await respond(requestForJson(), { code: 1015, retryAfter: 7 })).headers.get('retry-after')).toBe('7');
  });

  it('check the options of the last one', async () => {
    await expect(respond(requestForJson(), 1015, { site: 'nowhere' })).rejects.toThrow(PlatformErrorOptionsError);
    const options = { site: 'AKL' };
    for (let time = 0; time < 2; time++) {
      expect((await respond(requestForJson(), 1015, options)).headers.get('x-ray-id')).toMatch(/-AKL$/);
    }
  });
});
