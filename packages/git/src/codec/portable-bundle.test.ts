import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundleForBrowsers } from '@packhouse/fixtures/browser';

it('portable codec: is one script that needs no module of a platform, of the size that decision 0040 states', async () => {
  const script = await bundleForBrowsers(new URL('portable.ts', import.meta.url));
  expect(/\bBuffer\b|WebAssembly|\brequire\(|\bimport\(/.exec(script)).toBeNull();
  expect(script.length).toBeLessThan(47_000);
  expect(gzipSync(script, { level: 9 }).length).toBeLessThan(15_500);
});
