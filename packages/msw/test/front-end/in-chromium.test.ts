import { describeInBrowser, serveFiles, type FileServer } from '@packhouse/fixtures/browser';
import type { Mock } from '@packhouse/msw';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageFiles } from './pages.ts';
import { scenarios, type Behind, type Scenario } from './scenarios.ts';
import { visitorInChromium } from './visitor-in-chromium.ts';

declare const mock: Mock;

describeInBrowser('the page in Chromium, with a mock behind the service worker', (browser) => {
  let server: FileServer | undefined;
  beforeAll(async () => {
    server = await serveFiles(await pageFiles({ mocked: true }));
  });
  afterAll(() => server?.close());

  it.each(scenarios)('$name', async ({ seed, faults = [], visit }) => {
    const context = await browser().newContext({});
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(server?.origin ?? '');
    await page.getByLabel('Token').waitFor();
    await page.evaluate((seed) => mock.store.seed(seed), seed);
    await page.evaluate((faults) => mock.faults.add(...faults), faults);
    const visitor = visitorInChromium(page);
    await visitor.enter('Token', 'secret');
    await visit(visitor, {
      seed: (more) => page.evaluate((more) => mock.store.seed(more), more),
      tags: () =>
        page.evaluate(async () =>
          Object.fromEntries((await mock.store.inspect.tags()).map(({ name, tags }) => [name, tags])),
        ),
    });
    await context.close();
  });
});
