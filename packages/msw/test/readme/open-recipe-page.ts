import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleForBrowsers, serveFiles } from '@packhouse/fixtures/browser';
import type { Browser, Page } from 'playwright-core';
import type { RecipeFolder } from './recipe-folder.ts';

export interface RecipePage {
  readonly page: Page;
  /** Uncaught errors, including failed assertions. */
  readonly misdeeds: readonly string[];
  /** Resolves when the recipe has finished or failed. */
  ended(): Promise<void>;
  close(): Promise<void>;
}

export interface RecipePageOptions {
  readonly folder: RecipeFolder;
  /** The recipe, a module of the folder. */
  readonly file: string;
  /** The script of MSW's service worker. */
  readonly worker: Uint8Array;
}

/** Opens a page whose only script is a recipe, bundled as an app would be. */
export async function openRecipePage(
  browser: Browser,
  { folder, file, worker }: RecipePageOptions,
): Promise<RecipePage> {
  // Not a static import: bundlers drop a module without exports from a package without side effects.
  folder.write(`page-of-${file}`, `await import(${JSON.stringify(`./${file}`)});\nconsole.info('ended');\n`);
  const script = 'text/javascript; charset=utf-8';
  const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>';
  const server = await serveFiles(
    new Map([
      ['/', { type: 'text/html; charset=utf-8', body: html }],
      [
        '/page.js',
        { type: script, body: await bundleForBrowsers(pathToFileURL(join(folder.path, `page-of-${file}`))) },
      ],
      ['/mockServiceWorker.js', { type: script, body: worker }],
    ]),
  );
  const context = await browser.newContext();
  const page = await context.newPage();
  const misdeeds: string[] = [];
  const { promise: ending, resolve: end } = Promise.withResolvers<void>();
  page.on('pageerror', (error) => {
    misdeeds.push(error.message);
    end();
  });
  page.on('console', (message) => {
    if (message.type() === 'assert') misdeeds.push(message.text());
    if (message.text() === 'ended') end();
  });
  await page.goto(server.origin);
  return {
    page,
    misdeeds,
    ended: () => ending,
    async close() {
      await context.close();
      server.close();
    },
  };
}
