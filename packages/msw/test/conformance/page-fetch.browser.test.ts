import { describeInBrowser } from '@packhouse/fixtures/browser';
import { fc, it } from '@fast-check/vitest';
import { afterAll, beforeAll, expect } from 'vitest';
import { openMockPage, type MockPage } from '../browser/mock-page.ts';
import type * as echo from './echo-in-page.ts';
import type { Arrived } from './echo-in-page.ts';
import { changedOnTheWay, pageFetch } from './page-fetch.ts';

declare const page: typeof echo;

const origin = 'https://echo.example.test';
const arrived = (response: Response): Arrived =>
  JSON.parse(decodeURIComponent(response.headers.get('x-arrived') ?? 'null')) as Arrived;

describeInBrowser('what the tests send through a page', (browser) => {
  let opened: MockPage;
  let send: ReturnType<typeof pageFetch>;
  beforeAll(async () => {
    opened = await openMockPage(browser(), new URL('echo-in-page.ts', import.meta.url));
    await opened.page.evaluate((at) => page.begin(at), origin);
    send = pageFetch(opened.page);
  });
  afterAll(async () => {
    await opened.close();
    expect(opened.misdeeds).toEqual([]);
  });

  const value = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });
  const body = fc.uint8Array({ maxLength: 2_000 });
  it.prop([value, value, body, fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE')], { numRuns: 40 })(
    'header values in ASCII and any bytes arrive at a handler, and come back',
    async (accept, other, bytes, method) => {
      const response = await send(
        new Request(`${origin}/x`, { method, headers: { accept, 'x-other': other }, body: Uint8Array.from(bytes) }),
      );
      const trimmed = (text: string): string => text.replaceAll(/^ +| +$/g, '');
      expect(arrived(response)).toMatchObject({
        method,
        headers: { accept: trimmed(accept), 'x-other': trimmed(other) },
      });
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(Uint8Array.from(bytes));
    },
  );

  it('a long body arrives in several parts', async () => {
    const bytes = Uint8Array.from({ length: 1_000_003 }, (_, at) => at % 251);
    const response = await send(new Request(`${origin}/x`, { method: 'POST', body: bytes }));
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it.each([
    ['\u00e9', ''],
    ['text/markdown, \u00ff', ''],
    ['\u00c3\u00a9', '\u00e9'],
  ])('does not send a value beyond ASCII, which Chromium changes: %j', async (accept, changed) => {
    const one = {
      id: -1,
      url: `${origin}/x`,
      method: 'GET',
      headers: [['accept', accept]],
      body: null,
      redirect: 'follow',
    } as const;
    const { headers } = await opened.page.evaluate((sent) => page.send(sent), one);
    const response = new Response(null, { headers: headers.map(([name, text]): [string, string] => [name, text]) });
    // If this fails, Chromium has fixed the bug, and the rule in `page-fetch.ts` can be removed.
    expect(arrived(response).headers).toMatchObject({ accept: changed });
    await expect(send(new Request(`${origin}/x`, { headers: { accept } }))).rejects.toThrow(changedOnTheWay('accept'));
  });

  it('does not send a header that no page may set, and reports a redirect that no page may see', async () => {
    await expect(send(new Request(`${origin}/x`, { headers: { te: 'trailers' } }))).rejects.toThrow(
      'needs the header te, which no page may set',
    );
    await expect(send(new Request(`${origin}/redirect`, { redirect: 'manual' }))).rejects.toThrow(
      'needs a client that sees a redirect, which a page may not',
    );
  });

  it('aborting a reply rejects with the reason', async () => {
    const left = new AbortController();
    const response = await send(new Request(`${origin}/endless`, { signal: left.signal }));
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    left.abort(new Error('enough'));
    const rest = async (): Promise<void> => {
      while ((await reader?.read())?.done === false);
    };
    await expect(rest()).rejects.toThrow('enough');
  });
});
