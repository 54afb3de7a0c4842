import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** Bundles an app with these exports. Returns the paths of the modules that contribute bytes to the bundle. */
const bundled = async (contents: string, platform: 'browser' | 'neutral'): Promise<readonly string[]> => {
  const { metafile } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    format: 'esm',
    platform,
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2024',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
};

const foreign = /node_modules|packages\/(?:git|problem-details)\/|\/(?:git|problem-details)\/src\//;
const tagging = "export { tagging, listedZones, defaultResourceTypes } from '@packhouse/tagging';";

it.each(['browser', 'neutral'] as const)(
  'tagging alone bundles for the platform %s, without Hono, zod, Git and error pages',
  async (platform) => {
    const modules = await bundled(tagging, platform);
    expect(modules.some((path) => path.endsWith('http/tag-face.ts'))).toBe(true);
    expect(modules.filter((path) => foreign.test(path))).toEqual([]);
    expect(modules.filter((path) => /rest\/|repos\/|config\//.test(path))).toEqual([]);
  },
);

it('the bundle of the whole service has Hono and error pages', async () => {
  const modules = await bundled("export { createService } from '@packhouse/router';", 'browser');
  for (const name of ['hono', 'problem-details']) {
    expect(modules.some((path) => foreign.test(path) && path.includes(name))).toBe(true);
  }
});
