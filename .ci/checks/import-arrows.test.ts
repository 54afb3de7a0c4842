import { describe, expect, it } from 'vitest';
import { foldersInCircles, importFault, importsOf } from './import-arrows.ts';
import { readTracked, trackedFiles } from './tracked-files.ts';

describe('import arrows', () => {
  it('finds every form of import', () => {
    const source = [
      "import { a } from './a.ts';",
      "import type { B } from '@packhouse/git';",
      "import 'node:fs';",
      "export * from './c.ts';",
      "const d = await import('hono');",
      'import {',
      '  e,',
      "} from './e.ts';",
      "// import x from 'comment';",
      "/* import y from 'comment'; */",
    ].join('\n');
    expect(importsOf(source)).toEqual(['./a.ts', '@packhouse/git', 'node:fs', './c.ts', 'hono', './e.ts']);
  });

  it.each([
    ['packages/git/src/a.ts', '@packhouse/hosting'],
    ['packages/git/src/a.ts', 'node:fs'],
    ['packages/hosting/src/a.ts', '@packhouse/storage'],
    ['packages/hosting/src/names/a.ts', 'node:crypto'],
    ['packages/router/src/a.ts', '@packhouse/storage'],
    ['packages/storage/src/a.ts', '@packhouse/router'],
    ['packages/storage/src/a.ts', '@packhouse/bench'],
    ['packages/server/src/a.ts', '@packhouse/cli'],
    ['packages/git/src/wire/a.ts', '../../../base/src/errors.ts'],
    ['packages/git/src/wire/a.test.ts', '../../../base/src/errors.ts'],
    ['packages/git/src/wire/a.ts', './b.js'],
    ['packages/unknown/src/a.ts', '@packhouse/git'],
    ['conformance/src/cases/a.ts', '@packhouse/git'],
    ['conformance/src/cases/a.ts', '../../../packages/git/src/index.ts'],
    ['conformance/src/cases/a.test.ts', '../../../packages/git/src/index.ts'],
    ['conformance/src/run/a.ts', 'vitest'],
    ['packages/problem-details/src/negotiation/a.ts', '../render/b.ts'],
    ['packages/problem-details/src/render/html/a.ts', '../../response/b.ts'],
    ['packages/problem-details/src/catalogue/a.ts', '../dialect/b.ts'],
    ['packages/problem-details/src/problem/a.ts', '../index.ts'],
    ['packages/problem-details/src/unknown/a.ts', '../problem/b.ts'],
  ])('refuses %s importing %s', (file, specifier) => {
    expect(importFault(file, specifier)).not.toBeNull();
  });

  it.each([
    ['packages/cli/src/a.ts', '@packhouse/server'],
    ['packages/storage/src/packs/a.ts', 'node:fs'],
    ['packages/storage/src/a.ts', '@packhouse/git/codec-node'],
    ['packages/git/src/codec/node.ts', 'node:zlib'],
    ['packages/git/src/wire/a.test.ts', 'node:fs'],
    ['packages/git/src/wire/a.ts', '../refs/b.ts'],
    ['packages/router/src/a.ts', 'hono'],
    ['packages/cli/src/a.ts', '@packhouse/conformance'],
    ['conformance/src/cases/a.ts', '../core/case.ts'],
    ['conformance/src/cases/a.ts', 'node:assert/strict'],
    ['conformance/src/vitest.ts', 'vitest'],
    ['conformance/src/run/a.test.ts', 'vitest'],
    ['packages/problem-details/src/index.ts', './hono/b.ts'],
    ['packages/problem-details/src/response/a.ts', '../problem/b.ts'],
    ['packages/problem-details/src/render/html/a.ts', '../markdown.ts'],
    ['packages/problem-details/src/problem/a.test.ts', '../response/b.ts'],
  ])('allows %s importing %s', (file, specifier) => {
    expect(importFault(file, specifier)).toBeNull();
  });

  it('finds folders in a circle', () => {
    const sources = new Map([
      ['a/top.ts', "import { b } from '../b/b.ts';"],
      ['b/b.ts', "import type { C } from '../c/c.ts';"],
      ['c/c.ts', "export * from '../b/d.ts';"],
      ['b/d.ts', "import { e } from './e.ts';"],
    ]);
    expect(foldersInCircles(sources)).toEqual(['b', 'c']);
  });

  it('leave no folders in a circle', () => {
    const sources = trackedFiles().filter((path) => /^(?:packages\/[^/]+|conformance)\/src\/.*\.ts$/.test(path));
    const texts = new Map(sources.filter((path) => !path.includes('.test.')).map((path) => [path, readTracked(path)]));
    expect(texts.size).toBeGreaterThan(50);
    expect(foldersInCircles(texts)).toEqual([]);
  });

  it('point one way in every package', () => {
    const sources = trackedFiles().filter((path) =>
      /^(?:packages\/[^/]+|conformance)\/(?:src|test)\/.*\.ts$/.test(path),
    );
    const faults = sources.flatMap((path) =>
      importsOf(readTracked(path)).map((specifier) => importFault(path, specifier)),
    );
    expect(sources.length).toBeGreaterThan(50);
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });
});
