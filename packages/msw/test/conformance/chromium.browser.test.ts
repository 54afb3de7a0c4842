import { cases, dialectSample, groupSample, oncePerSlowGroup, type Target } from '@packhouse/conformance';
import { conformanceTests } from '@packhouse/conformance/vitest';
import { sampleSeed } from '@packhouse/fixtures';
import { describeInBrowser } from '@packhouse/fixtures/browser';
import { expect } from 'vitest';
import { openMockPage, type MockPage } from '../browser/mock-page.ts';
import type * as inPage from './in-page.ts';
import { startTarget, type Place } from './mock-target.ts';
import { outcome, unexpected } from './outcome.ts';
import { changedOnTheWay, pageFetch } from './page-fetch.ts';

declare const page: typeof inPage;

/** Cases that set a header which scripts of a page may not set, with the header that stops them. */
const headersThatPagesMayNotSet = {
  'errors/headers/never': 'accept-encoding',
  'git/http/caching-and-cookies': 'cookie',
  'git/http/cors-preflights': 'access-control-request-headers',
  'git/http/cors-replies': 'origin',
  'git/http/no-cors-by-default': 'access-control-request-method',
  'git/http/refusals': 'cookie',
  'rest/cors/none': 'access-control-request-method',
  'rest/cors/preflights': 'access-control-request-headers',
  'rest/cors/replies': 'origin',
  'tags/routes/options': 'access-control-request-method',
};

/** Why cases that run with a mock in Node are skipped here, by case id. */
const known: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(headersThatPagesMayNotSet).map(([id, name]) => [
      id,
      `needs the header ${name}, which no page may set`,
    ]),
  ),
  'errors/negotiation/hostile': changedOnTheWay('accept'),
  ...Object.fromEntries(
    cases
      .filter(({ needs }) => needs?.includes('streaming'))
      .map(({ id }) => [id, 'needs bodies that go out, and come in, as they are made']),
  ),
};

function behindServiceWorker({ page: opened }: MockPage): Place {
  return {
    start: async (options) => await opened.evaluate((one) => page.startMock(one), options),
    close: async (origin) => await opened.evaluate((one) => page.closeMock(one), origin),
    target: { fetch: pageFetch(opened), lacks: ['event sink', 'maintenance', 'streaming'] },
  };
}

describeInBrowser('the suite against the mock in Chromium, behind the service worker', (browser) => {
  for (const dialect of ['neutral', 'cloudflare'] as const) {
    const name = `mock in Chromium, ${dialect}`;
    let opened: MockPage | undefined;
    let target: Awaited<ReturnType<typeof startTarget>> | undefined;
    conformanceTests({
      name,
      // Packs, contents and limits depend on no page. The path through the service worker is the same in both dialects.
      cases: groupSample(dialect === 'neutral' ? oncePerSlowGroup(cases) : dialectSample(cases), sampleSeed()),
      async start(): Promise<Target> {
        opened = await openMockPage(browser(), new URL('in-page.ts', import.meta.url));
        await opened.page.evaluate(() => page.begin());
        target = await startTarget(behindServiceWorker(opened), name, dialect);
        return target;
      },
      async end(results) {
        console.log(outcome(name, results));
        await target?.close();
        await opened?.close();
        expect(opened?.misdeeds).toEqual([]);
        expect(unexpected(results, known), 'no case is skipped or unsupported without our knowing').toEqual([]);
      },
    });
  }
});
