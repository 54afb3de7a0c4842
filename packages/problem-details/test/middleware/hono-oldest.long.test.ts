import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { bodyCases } from './cases/bodies.ts';
import { honoCases } from './cases/hono.ts';
import { nestingCases } from './cases/nesting.ts';
import { thrownCases } from './cases/thrown.ts';
import { describeForm } from './suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'problem-details-hono-oldest-'));
afterAll(() => rmSync(folder, { recursive: true }));

const outfile = join(folder, 'app.mjs');
const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
await build({
  entryPoints: [fileURLToPath(new URL('apps/hono.ts', import.meta.url))],
  absWorkingDir: packageFolder,
  alias: { hono: 'hono-oldest' },
  bundle: true,
  platform: 'neutral',
  target: 'es2024',
  outfile,
});

describe('an app of the oldest Hono with platform errors', () => {
  it('has the lowest version of the peer range', () => {
    const read = (path: string): unknown => JSON.parse(readFileSync(join(packageFolder, path), 'utf8'));
    const { version } = read('node_modules/hono-oldest/package.json') as { readonly version: string };
    expect(read('package.json')).toMatchObject({ peerDependencies: { hono: `^${version}` } });
  });

  const cases = [...thrownCases, ...bodyCases, ...nestingCases, ...honoCases];
  describeForm(pathToFileURL(outfile), cases, ['node']);
});
