import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser } from '@packhouse/fixtures/browser';
import { openRecipePage } from './open-recipe-page.ts';
import { readReadme } from './readme-blocks.ts';
import { makeRecipeFolder } from './recipe-folder.ts';

const { resolve } = createRequire(import.meta.url);
const { text, blocks, unmarked } = readReadme();
const modules = blocks.flatMap(({ language, file, ...block }) => (language === 'ts' && file ? { file, ...block } : []));
const commands = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code.trim());
const tests = modules.map(({ file }) => file).filter((file) => file.endsWith('.test.ts'));
const pages = modules.filter(({ isOfPage }) => isOfPage).map(({ file }) => file);

const folder = makeRecipeFolder(blocks);
afterAll(() => folder.remove());

/** The output folder of `msw init` in a project. */
const project = join(folder.path, 'project');
beforeAll(async () => {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{}');
  const [, args = ''] = commands.map((command) => /^npx msw (init .*)$/.exec(command)).find((match) => match) ?? [];
  await folder.run(project, join(dirname(resolve('msw/package.json')), 'cli/index.js'), args.split(' '));
});

describe('README.md', () => {
  it('runs every block', () => {
    expect(unmarked).toBe(0);
    expect(modules.length + commands.length).toBe(blocks.length);
    expect(new Set(modules.map(({ file }) => file)).size).toBe(modules.length);
    const isImported = (name: string): boolean => modules.some(({ code }) => code.includes(`'./${name}'`));
    const isRun = (name: string): boolean => tests.includes(name) || name === 'vitest.config.ts' || isImported(name);
    expect(modules.filter(({ file, isOfPage }) => !isRun(file) && !isOfPage)).toEqual([]);
    expect([tests.length, pages.length]).toEqual([8, 2]);
  });

  it('names every package that its imports need, and how to get the service worker', () => {
    expect(commands).toHaveLength(2);
    const installs = [...text.matchAll(/npm install(?: --save-dev)? ([a-z@][^`\n]*)/g)];
    const named = new Set(installs.flatMap(([, names = '']) => names.split(' ')));
    const imports = modules.flatMap(({ code }) => [...code.matchAll(/ from '((?:@[^/']+\/)?[^./'][^/']*)/g)]);
    const needed = new Set(imports.map(([, name]) => name));
    // The reader chooses the test runner.
    expect([...needed].filter((name) => name !== 'vitest' && !named.has(name as string))).toEqual([]);
    expect(readFileSync(join(project, 'public/mockServiceWorker.js'), 'utf8')).toContain('PACKAGE_VERSION');
  });
});

describe('sizes in the README', () => {
  const bounds = ['bundled', 'loaded'].map((name) =>
    readFileSync(new URL(`../size/${name}.test.ts`, import.meta.url), 'utf8'),
  );
  const stated = [...text.matchAll(/[ (]([\d,]+)( kB|, of)/g)].map(([, number = '', unit]) =>
    unit === ' kB' ? `${number},000` : number,
  );

  it('are there', () => expect(stated).toHaveLength(12));

  it.each(stated)('%s matches the bound of a test', (number) => {
    // As in source code: 1_050_000, or 770.
    expect(bounds.join('\n')).toMatch(new RegExp(String.raw`(?<![\d_])${number.replaceAll(',', '_')}(?![\d_])`));
  });
});

describe('the recipes in Node', () => {
  interface Report {
    readonly testResults: readonly {
      readonly name: string;
      readonly message: string;
      readonly assertionResults: readonly { readonly status: string; readonly failureMessages: readonly string[] }[];
    }[];
  }

  let report: Report;
  beforeAll(async () => {
    const vitest = join(dirname(resolve('vitest/package.json')), 'vitest.mjs');
    const output = join(folder.path, 'report.json');
    // The mock must also work when tests share modules, which Vitest itself recommends for speed.
    const args = ['run', '--no-isolate', '--maxWorkers=1', '--reporter=json', `--outputFile=${output}`];
    const printed = await folder.run(folder.path, vitest, args);
    report = JSON.parse(readFileSync(output, 'utf8').trim() || printed) as Report;
  }, 180_000);

  it.each(tests)('%s passes as printed', (file) => {
    const { message, assertionResults = [] } = report.testResults.find(({ name }) => name.endsWith(`/${file}`)) ?? {};
    expect(message).toBe('');
    expect(assertionResults.length).toBeGreaterThan(0);
    expect(assertionResults.filter(({ status }) => status !== 'passed')).toEqual([]);
  });
});

describe('the types of the recipes', () => {
  it('are right, and contain no any', async () => {
    // The platform types parsed JSON as any; here a recipe must state the type.
    folder.write(
      'json.d.ts',
      'interface Body { json(): Promise<unknown> }\ninterface JSON { parse(text: string): unknown }\n',
    );
    folder.write('untyped.ts', 'export const { result } = await new Response().json();\n');
    const config = {
      extends: '../../../tsconfig.base.json',
      compilerOptions: { noEmit: true, composite: false, types: ['node'], rootDir: '/' },
      include: ['*.ts'],
    };
    folder.write('tsconfig.json', JSON.stringify(config));
    const compiler = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));
    const faults = await folder.run(folder.path, compiler, ['--project', folder.path]);
    expect(faults.trim()).toMatch(
      /^untyped\.ts\(1,16\): error TS2339: Property 'result' does not exist on type 'unknown'\.$/,
    );
  }, 180_000);
});

describeInBrowser('the recipes in Chromium', (browser) => {
  it.each(pages)('%s runs as printed', async (file) => {
    const worker = readFileSync(join(project, 'public/mockServiceWorker.js'));
    const opened = await openRecipePage(browser(), { folder, file, worker });
    try {
      await opened.ended();
      expect(opened.misdeeds).toEqual([]);
      const url = 'https://api.example.test/v4/accounts/local/repos/namespaces/default/repos/notes';
      const status = await opened.page.evaluate(
        async (repo) => (await fetch(repo, { headers: { authorization: 'Bearer any' } })).status,
        url,
      );
      expect(status).toBe(200);
    } finally {
      await opened.close();
    }
  });
});
