import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { bundleForBrowsers } from './contract/bundle.test.util.ts';
import { codecContract } from './contract/contract.test.util.ts';
import { findBrowser } from './contract/find-browser.test.util.ts';
import type { CaseOutcome, runInPage } from './contract/in-page.test.util.ts';

const path = findBrowser();
const skipped = path === undefined && process.env['PACKHOUSE_BROWSER'] !== 'required';
const missing = 'there is no chromium, chromium-browser or google-chrome in PATH';
if (skipped) console.warn(`Skipped, since ${missing}: the portable codec in a browser`);

/** Of a secure origin, as `crypto.subtle` needs. Nothing may be loaded but one script, which may evaluate nothing. */
const origin = 'https://codec.test';
const policy = { 'content-security-policy': "default-src 'none'; script-src 'self'; img-src data:" };

declare const contract: { readonly runInPage: typeof runInPage };

it.skipIf(skipped)(
  'portable codec in Chromium: keeps the contract, under a policy without eval',
  { timeout: 300_000 },
  async () => {
    if (path === undefined) throw new Error(`PACKHOUSE_BROWSER=required, but ${missing}`);
    const script = await bundleForBrowsers(new URL('contract/in-page.test.util.ts', import.meta.url), 'contract');
    // Without Chromium's sandbox, which neither root nor most containers may use. The page is ours.
    const browser = await chromium.launch({ executablePath: path, chromiumSandbox: false });
    try {
      const page = await browser.newPage();
      const misdeeds: string[] = [];
      page.on('pageerror', (error) => misdeeds.push(error.message));
      page.on('console', (message) => misdeeds.push(message.text()));
      await page.route(`${origin}/**`, (route) =>
        new URL(route.request().url()).pathname === '/contract.js'
          ? route.fulfill({ contentType: 'text/javascript', body: script })
          : route.fulfill({
              contentType: 'text/html',
              headers: policy,
              body: '<!doctype html><link rel="icon" href="data:,"><script src="/contract.js"></script>',
            }),
      );
      await page.goto(`${origin}/`);
      const outcomes: readonly CaseOutcome[] = await page.evaluate(() => contract.runInPage());
      expect(outcomes.filter(({ failure }) => failure !== null)).toEqual([]);
      expect(outcomes.map(({ name }) => name)).toEqual(codecContract.map(({ name }) => name));
      expect(misdeeds).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);
