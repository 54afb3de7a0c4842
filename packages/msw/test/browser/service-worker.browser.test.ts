import { expect, it } from 'vitest';
import { describeInBrowser } from '@packhouse/fixtures/browser';
import type { InPage, runInPage } from './in-page.ts';
import { openMockPage } from './mock-page.ts';

declare const page: { readonly runInPage: typeof runInPage };

describeInBrowser('the mock in Chromium, behind the service worker', (browser) => {
  it('has every area, faults, and a clone and push by isomorphic-git', async () => {
    const opened = await openMockPage(browser(), new URL('in-page.ts', import.meta.url));
    try {
      const outcome: InPage = await opened.page.evaluate(() => page.runInPage());
      expect(outcome).toEqual({
        namespaces: ['default', 'drafts'],
        created: 201,
        tags: ['env'],
        error: [522, 522],
        limited: [429, '7'],
        dropped: 'TypeError',
        cloned: 'One\n',
        pushed: true,
        tooLong: 413,
        elsewhere: 'elsewhere',
      });
      expect(opened.misdeeds).toEqual([]);
    } finally {
      await opened.close();
    }
  });
});
