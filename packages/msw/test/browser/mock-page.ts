import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bundleForBrowsers, serveFiles } from '@packhouse/fixtures/browser';
import type { Browser, Page } from 'playwright-core';

/** A page whose script may start a service worker of MSW. */
export interface MockPage {
  readonly page: Page;
  /** Uncaught errors. */
  readonly misdeeds: readonly string[];
  close(): Promise<void>;
}

const { resolve } = createRequire(import.meta.url);
const script = 'text/javascript; charset=utf-8';
const html = '<!doctype html><link rel="icon" href="data:,"><script src="/page.js"></script>';

/** Opens a page whose global `page` has the exports of a module. */
export async function openMockPage(browser: Browser, module: URL): Promise<MockPage> {
  const inject = [new URL('buffer.ts', import.meta.url)];
  const body = await bundleForBrowsers(module, { globalName: 'page', inject });
  const server = await serveFiles(
    new Map([
      ['/', { type: 'text/html; charset=utf-8', body: html }],
      ['/page.js', { type: script, body }],
      ['/mockServiceWorker.js', { type: script, body: readFileSync(resolve('msw/mockServiceWorker.js')) }],
      ['/elsewhere', { type: 'text/plain; charset=utf-8', body: 'elsewhere' }],
    ]),
  );
  // A service worker belongs to an origin in a context, so a new context has no service worker of another test.
  const context = await browser.newContext();
  const page = await context.newPage();
  const misdeeds: string[] = [];
  page.on('pageerror', (error) => misdeeds.push(error.message));
  await page.goto(server.origin);
  return {
    page,
    misdeeds,
    async close() {
      await context.close();
      server.close();
    },
  };
}
