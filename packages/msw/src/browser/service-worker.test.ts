import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { findBrowser } from './find-browser.test.util.ts';
import type { InPage, runInPage } from './in-page.test.util.ts';

const path = findBrowser();
const skipped = path === undefined && process.env['PACKHOUSE_BROWSER'] !== 'required';
const missing = 'there is no chromium, chromium-browser or google-chrome in PATH';
if (skipped) console.warn(`Skipped, since ${missing}: the mock behind a service worker`);

declare const page: { readonly runInPage: typeof runInPage };

const { resolve } = createRequire(import.meta.url);

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('in-page.test.util.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'page',
    inject: [fileURLToPath(new URL('buffer.test.util.ts', import.meta.url))],
    platform: 'browser',
    target: 'es2024',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

it.skipIf(skipped)(
  'the mock in Chromium, behind the service worker: every area, faults, and a clone and push by isomorphic-git',
  { timeout: 120_000 },
  async () => {
    if (path === undefined) throw new Error(`PACKHOUSE_BROWSER=required, but ${missing}`);
    const scripts = new Map([
      ['/page.js', await bundle()],
      ['/mockServiceWorker.js', readFileSync(resolve('msw/mockServiceWorker.js'), 'utf8')],
    ]);
    const html = '<!doctype html><link rel="icon" href="data:,"><script src="/page.js"></script>';
    const server = createServer((request, response) => {
      const script = scripts.get(request.url ?? '');
      response.setHeader(
        'content-type',
        script === undefined ? 'text/html; charset=utf-8' : 'text/javascript; charset=utf-8',
      );
      response.end(script ?? (request.url === '/elsewhere' ? 'elsewhere' : html));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    // Without Chromium's sandbox, which neither root nor most containers may use. The page is ours.
    const browser = await chromium.launch({ executablePath: path, chromiumSandbox: false });
    try {
      const tab = await browser.newPage();
      const misdeeds: string[] = [];
      tab.on('pageerror', (error) => misdeeds.push(error.message));
      await tab.goto(`http://127.0.0.1:${port}/`);
      const outcome: InPage = await tab.evaluate(() => page.runInPage());
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
      expect(misdeeds).toEqual([]);
    } finally {
      await browser.close();
      server.closeAllConnections();
      server.close();
    }
  },
);
