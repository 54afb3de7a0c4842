import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** Code by the heading that it stands under. */
const recipes = [...readme.matchAll(/^##+ ([^\n]+)\n(?:(?!^##+ )[^])*?```ts\n([^]*?)```/gm)].map(
  ([, heading = '', code = '']) => ({ heading, code }),
);

describe('README.md', () => {
  // Inside the package, which finds itself by its name there.
  const folder = mkdtempSync(join(root, '.recipes-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has all its code under headings of their own', () => {
    expect(recipes).toHaveLength(readme.split('```ts\n').length - 1);
    expect(recipes.length).toBeGreaterThanOrEqual(7);
  });

  it.each(recipes)('$heading: runs as it is printed', async ({ heading, code }) => {
    const file = join(folder, `${heading.replaceAll(/\W+/g, '-').toLowerCase()}.ts`);
    writeFileSync(file, code);
    const { stderr } = await promisify(execFile)(process.execPath, [file], { timeout: 50_000 });
    expect(stderr).toBe('');
  });

  it('type checks, every recipe', async () => {
    const config = {
      extends: '../../../tsconfig.base.json',
      compilerOptions: { noEmit: true, composite: false, types: ['node'], rootDir: '/' },
      include: ['*.ts'],
    };
    for (const [number, { code }] of recipes.entries()) writeFileSync(join(folder, `recipe-${number}.ts`), code);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(root, '../../node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--project', folder]).catch(
      (error: { readonly stdout?: string }) => ({ stdout: error.stdout ?? String(error) }),
    );
    expect(stdout).toBe('');
  });
});
