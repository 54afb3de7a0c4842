import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A module and all that it imports as one minified script for browsers. Modules of Node are not found. */
export async function bundleForBrowsers(module: URL, globalName?: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(module)],
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    ...(globalName === undefined ? { format: 'esm' } : { format: 'iife', globalName }),
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('');
}
