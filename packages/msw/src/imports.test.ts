import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** Every module that importing an entry loads, used or not, and the bytes of a bundle of it without MSW. */
async function imported(entry: string): Promise<{ readonly modules: readonly string[]; readonly bytes: number }> {
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
  const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
  return { modules: Object.keys(metafile.inputs), bytes };
}

const gitOrRest = /packages\/git\/|node_modules|packages\/hosting\/src\/(?:repos|git|content|forks|imports)\//;

describe('what a test file pays', () => {
  it.each([
    ['./tagging.ts', 150_000],
    ['./errors.ts', 90_000],
  ])('%s loads neither Git nor a library, and has at most %i bytes', async (entry, most) => {
    const { modules, bytes } = await imported(entry);
    expect(modules.some((path) => path.includes('problem-details'))).toBe(true);
    expect(modules.filter((path) => gitOrRest.test(path))).toEqual([]);
    expect(bytes).toBeLessThan(most);
  });

  it('the whole mock bundles for browsers, with Git, in at most 1,050,000 bytes', async () => {
    const { modules, bytes } = await imported('./index.ts');
    expect(modules.some((path) => gitOrRest.test(path))).toBe(true);
    expect(bytes).toBeLessThan(1_050_000);
  });
});
