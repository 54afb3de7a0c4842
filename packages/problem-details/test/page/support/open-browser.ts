import { describeInBrowser as describeIn } from '@packhouse/fixtures/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { servePages, type PageServer } from './page-server.ts';

/** What the tests of a file share. */
export interface Stage {
  readonly browser: Browser;
  readonly server: PageServer;
}

/** Tests of pages in the Chromium that is installed, each shown by a server of this machine. */
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
