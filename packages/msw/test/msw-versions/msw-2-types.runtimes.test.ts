import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const use = `
  import { http } from 'msw';
  import { setupWorker } from 'msw/browser';
  import { setupServer } from 'msw/node';
  import { createErrorsMock } from '../src/errors.ts';
  import { createMock } from '../src/index.ts';
  import { createTaggingMock } from '../src/tagging.ts';
  const baseUrl = 'https://api.example.test';
  const own = http.get(baseUrl, () => undefined);
  for (const create of [createMock, createTaggingMock, createErrorsMock]) {
    const { handlers } = create({ baseUrl });
    setupServer(...handlers, own).use(...handlers);
    setupWorker(...handlers, own).use(...handlers);
  }
`;

describe('the types of MSW 2', () => {
  const folder = mkdtempSync(join(root, '.types-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['oldest', 'latest'])('accept the handlers of a mock: the %s', async (version) => {
    const types = (entry: string): string[] => [`../node_modules/msw-2-${version}/lib/${entry}/index.d.ts`];
    writeFileSync(join(folder, 'use.ts'), use);
    const config = {
      extends: '../../../tsconfig.base.json',
      compilerOptions: {
        noEmit: true,
        composite: false,
        types: ['node'],
        rootDir: '/',
        paths: { msw: types('core'), 'msw/node': types('node'), 'msw/browser': types('browser') },
      },
      include: ['use.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(root, '../../node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--project', folder]).catch(
      (error: { readonly stdout?: string }) => ({ stdout: error.stdout ?? String(error) }),
    );
    expect(stdout).toBe('');
  });
});
