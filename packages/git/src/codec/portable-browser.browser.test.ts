import { bundleForBrowsers, describeInBrowser } from '@packhouse/fixtures/browser';
import { expect, it } from 'vitest';
import { codecContract } from './contract/contract.test.util.ts';
import type { CaseOutcome, runInPage } from './contract/in-page.test.util.ts';

/** A secure origin, which `crypto.subtle` requires. The page may load only one script, which cannot use `eval`. */
const origin = 'https://codec.test';
const policy = { 'content-security-policy': "default-src 'none'; script-src 'self'; img-src data:" };

declare const contract: { readonly runInPage: typeof runInPage };

describeInBrowser('portable codec in Chromium', (browser) => {
  it('keeps the contract, under a policy without eval', async () => {
    const entry = new URL('contract/in-page.test.util.ts', import.meta.url);
    const script = await bundleForBrowsers(entry, { globalName: 'contract' });
    const page = await browser().newPage();
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
  });
});
