import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { browserIsRequired, findBrowser } from './find-browser.ts';
import { servePages, type PageServer } from './page-server.ts';

/** What the tests of a file share. */
export interface Stage {
  readonly browser: Browser;
  readonly server: PageServer;
}

const path = findBrowser();
const missing = 'there is no chromium, chromium-browser or google-chrome in PATH';

/** Milliseconds for a test: each loads up to some hundred pages, and the machine may be busy. */
const timeout = 300_000;

const open = async (): Promise<Stage> => {
  if (path === undefined) throw new Error(`PACKHOUSE_BROWSER=required, but ${missing}`);
  // Without Chromium's sandbox, which neither root nor most containers may use. The pages are ours.
  const browser = await chromium.launch({ executablePath: path, chromiumSandbox: false });
  return { browser, server: await servePages() };
};

/**
 * Tests in the Chromium that is installed, all in one process of it. Where there is none, the tests are skipped with a
 * line that says so, or fail if a browser is required.
 */
export const describeInBrowser = (name: string, tests: (stage: () => Stage) => void): void => {
  const skipped = path === undefined && !browserIsRequired();
  if (skipped) console.warn(`Skipped, since ${missing}: ${name}`);
  describe.skipIf(skipped)(name, { timeout }, () => {
    let stage: Stage | undefined;
    beforeAll(async () => {
      stage = await open();
    });
    afterAll(async () => {
      await stage?.browser.close();
      await stage?.server.close();
    });
    tests(() => {
      if (stage === undefined) throw new Error('The browser is opened before the first test.');
      return stage;
    });
  });
};
