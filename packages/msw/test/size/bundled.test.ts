import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { gitOrRest } from './git-or-rest.ts';

/** The code that a page loads for an entry before it uses the entry. */
interface Bundle {
  readonly modules: readonly string[];
  readonly bytes: number;
  readonly gzipped: number;
}

/** Bundles an entry for browsers, without MSW. Modules that a mock imports later, on demand, are not included. */
async function bundled(entry: string): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../src/${entry}`, import.meta.url))],
    bundle: true,
    splitting: true,
    outdir: 'bundle',
    format: 'esm',
    platform: 'browser',
    external: ['msw'],
    minify: true,
    target: 'es2024',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const outputs = Object.entries(metafile.outputs);
  const loaded = new Set(outputs.filter(([, { entryPoint }]) => entryPoint?.endsWith(`/src/${entry}`)).map(first));
  for (const path of loaded) {
    for (const { path: other, kind, external } of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) loaded.add(other);
    }
  }
  const files = outputFiles.filter(({ path }) => [...loaded].some((name) => path.endsWith(name)));
  return {
    modules: outputs.flatMap(([path, { inputs }]) => (loaded.has(path) ? Object.keys(inputs) : [])),
    bytes: files.reduce((sum, { contents }) => sum + contents.length, 0),
    gzipped: files.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0),
  };
}

const first = ([path]: readonly [string, unknown]): string => path;

describe('what a page pays for a mock, minified', () => {
  it.each([
    ['tagging.ts', 153_000, 49_000],
    ['errors.ts', 90_000, 27_000],
  ])('%s has neither Git nor a library, and at most %i bytes, %i of them after gzip', async (entry, most, gzipped) => {
    const bundle = await bundled(entry);
    expect(bundle.modules.some((path) => path.includes('problem-details'))).toBe(true);
    expect(bundle.modules.filter((path) => gitOrRest.test(path))).toEqual([]);
    expect(bundle.bytes).toBeLessThan(most);
    expect(bundle.gzipped).toBeLessThan(gzipped);
  });

  it('the whole mock bundles for browsers, with Git, in at most 800,000 bytes, 280,000 of them after gzip', async () => {
    const bundle = await bundled('index.ts');
    expect(bundle.modules.some((path) => gitOrRest.test(path))).toBe(true);
    expect(bundle.bytes).toBeLessThan(800_000);
    expect(bundle.gzipped).toBeLessThan(280_000);
  });
});
