import { describeInBrowser as describeIn } from '@packhouse/fixtures/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { servePages, type PageServer } from './page-server.ts';

/** Shared state of the tests in a file. */
export interface Stage {
  readonly browser: Browser;
  readonly server: PageServer;
}

/** Runs tests in the installed Chromium, with a local server of pages. */
export const describeInBrowser = (name: string, tests: (stage: () => Stage) => void): void =>
  describeIn(name, (browser) => {
    let server: PageServer | undefined;
    beforeAll(async () => {
      server = await servePages();
    });
    afterAll(async () => await server?.close());
    tests(() => {
      if (server === undefined) throw new Error('The server is started before the first test.');
      return { browser: browser(), server };
    });
  });
