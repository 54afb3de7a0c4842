import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundleForBrowsers, type ServedFile } from '@packhouse/fixtures/browser';

const script = 'text/javascript; charset=utf-8';

/** All files of the page; with `mocked`, the mock begins before it. */
export async function pageFiles({ mocked }: { readonly mocked: boolean }): Promise<ReadonlyMap<string, ServedFile>> {
  const read = (name: string): string => readFileSync(join(import.meta.dirname, 'page', name), 'utf8');
  const main = new URL(`page/${mocked ? 'mocked' : 'main'}.ts`, import.meta.url);
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', body: read('index.html') }],
    ['/style.css', { type: 'text/css; charset=utf-8', body: read('style.css') }],
    ['/main.js', { type: script, body: await bundleForBrowsers(main) }],
    ...(mocked ? [['/mockServiceWorker.js', { type: script, body: readFileSync(worker) }] as const] : []),
  ]);
}
