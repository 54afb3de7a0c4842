import { describeInBrowser, serveFiles, type FileServer } from '@packhouse/fixtures/browser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openInChromium, type ChromiumPage } from './open-in-chromium.ts';
import { pageFiles } from './page-files.ts';
import { scenarios } from './scenarios.ts';
import { visitorInChromium } from './visitor-in-chromium.ts';

describeInBrowser('the page in Chromium, with a mock behind the service worker', (browser) => {
  let server: FileServer;
  let opened: ChromiumPage;
  beforeAll(async () => {
    server = await serveFiles(await pageFiles());
    opened = await openInChromium(browser(), { viewport: { width: 1280, height: 800 } });
    // The test controls this clock, so that waits of the page and latencies of the mock take no time.
    await opened.page.clock.install();
  });
  afterAll(async () => {
    await opened.close();
    server.close();
  });

  it.each(scenarios)('$name', async ({ seed, faults = [], token = 'secret', visit }) => {
    const behind = await opened.load(server.origin, seed, faults);
    const visitor = visitorInChromium(opened.page);
    await visitor.enter('Token', token);
    await visit(visitor, behind);
    expect(opened.misdeeds()).toEqual([]);
  });
});
