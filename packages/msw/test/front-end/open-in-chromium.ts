import type { Fault, Mock, Seed } from '@packhouse/msw';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Behind, Plain } from './scenarios.ts';

declare const mock: Mock;

/** The page in a browser, with its mock. */
export interface ChromiumPage {
  readonly page: Page;
  /** Reloads the page. */
  load(origin: string, seed: Plain, faults: readonly Fault<Seed>[]): Promise<Behind>;
  /** Returns uncaught errors and console messages since the page was loaded. */
  misdeeds(): readonly string[];
  close(): Promise<void>;
}

/** The console message of Chromium for each unsuccessful reply. */
const ofStatus = /^Failed to load resource: (?:the server responded with a status of|net::ERR_FAILED)/;

/** Opens a browser that has never seen the page. */
export async function openInChromium(browser: Browser, options: BrowserContextOptions): Promise<ChromiumPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  let told: string[] = [];
  page.on('pageerror', (error) => told.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (!ofStatus.test(message.text())) told.push(`${message.type()}: ${message.text()}`);
  });
  return {
    page,
    async load(origin, seed, faults) {
      told = [];
      await page.goto(origin);
      await page.getByLabel('Token').waitFor();
      await page.evaluate((first) => mock.store.seed(first), seed);
      await page.evaluate((wrong) => mock.faults.add(...wrong), faults);
      return {
        seed: (more) => page.evaluate((seed) => mock.store.seed(seed), more),
        async tags() {
          const tagged = await page.evaluate(() => mock.store.inspect.tags());
          return Object.fromEntries(tagged.map(({ name, tags }) => [name, tags]));
        },
        faults: () => page.evaluate(() => mock.faults.current.length),
      };
    },
    misdeeds: () => told,
    close: () => context.close(),
  };
}
