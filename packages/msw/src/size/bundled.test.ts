import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { gitOrRest } from './git-or-rest.test.util.ts';

interface Bundle {
  /** Every module that importing an entry loads, used or not, at once or later. */
  readonly modules: readonly string[];
  readonly bytes: number;
  readonly gzipped: number;
}

/** A bundle of an entry for browsers, without MSW. */
async function bundled(entry: string): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    external: ['msw'],
    minify: true,
    target: 'es2024',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const [code] = outputFiles.map(({ contents }) => contents) as [Uint8Array];
  return { modules: Object.keys(metafile.inputs), bytes: code.length, gzipped: gzipSync(code).length };
}

describe('what a page pays for a mock, minified', () => {
  it.each([
    ['../tagging.ts', 150_000, 47_000],
    ['../errors.ts', 90_000, 27_000],
  ])('%s has neither Git nor a library, and at most %i bytes, %i of them after gzip', async (entry, most, gzipped) => {
    const bundle = await bundled(entry);
    expect(bundle.modules.some((path) => path.includes('problem-details'))).toBe(true);
    expect(bundle.modules.filter((path) => gitOrRest.test(path))).toEqual([]);
    expect(bundle.bytes).toBeLessThan(most);
    expect(bundle.gzipped).toBeLessThan(gzipped);
  });

  it('the whole mock bundles for browsers, with Git, in at most 1,050,000 bytes, 300,000 of them after gzip', async () => {
    const bundle = await bundled('../index.ts');
    expect(bundle.modules.some((path) => gitOrRest.test(path))).toBe(true);
    expect(bundle.bytes).toBeLessThan(1_050_000);
    expect(bundle.gzipped).toBeLessThan(300_000);
  });
});
