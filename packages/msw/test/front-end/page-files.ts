import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundleForBrowsers, type ServedFile } from '@packhouse/fixtures/browser';

const script = 'text/javascript; charset=utf-8';

/** Returns all files of the page, whose script starts a mock first. */
export async function pageFiles(): Promise<ReadonlyMap<string, ServedFile>> {
  const read = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'page', name));
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  return new Map<string, ServedFile>([
    ['/', { type: 'text/html; charset=utf-8', body: read('index.html') }],
    ['/style.css', { type: 'text/css; charset=utf-8', body: read('style.css') }],
    ['/main.js', { type: script, body: await bundleForBrowsers(new URL('page/mocked.ts', import.meta.url)) }],
    ['/mockServiceWorker.js', { type: script, body: readFileSync(worker) }],
  ]);
}
