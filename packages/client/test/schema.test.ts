import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { clientDocument, digestOf } from '../scripts/client-document.ts';

it('has the types of the OpenAPI document; else run packages/client/scripts/write-types.ts', async () => {
  const schema = readFileSync(new URL('../src/schema.ts', import.meta.url), 'utf8');
  expect(schema).toContain(`the digest ${digestOf(await clientDocument())}. */`);
});

it('bundles for browsers in less than 10,000 bytes after gzip', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThan(10_000);
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
});
