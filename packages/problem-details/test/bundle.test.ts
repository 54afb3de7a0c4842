import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { builtInEntries } from '@packhouse/problem-details';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

interface Bundle {
  readonly code: string;
  /** Bytes, minified and compressed. */
  readonly minified: number;
  readonly compressed: number;
  /** Modules in the bundle, relative to the folder of sources. */
  readonly modules: readonly string[];
}

/** Bundles an app that imports only these exports. */
const bundle = async (...names: readonly string[]): Promise<Bundle> => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { ${names.join(', ')} } from '@packhouse/problem-details';`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2024',
    write: false,
    metafile: true,
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error('esbuild wrote nothing');
  const inputs = Object.values(metafile.outputs).flatMap((file) => Object.entries(file.inputs));
  return {
    code: output.text,
    minified: output.contents.length,
    compressed: gzipSync(output.contents).length,
    modules: inputs
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path.replace(/^.*problem-details\/(?:src|dist)\//u, '')),
  };
};

/** Returns the bundle sizes in the README: kilobytes, minified and compressed. */
const sizesInReadme = async (imported: string): Promise<readonly number[]> => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const row = readme.split('\n').find((line) => line.startsWith(`| \`${imported}\` `));
  if (row === undefined) throw new Error(`The README does not say how large ${imported} is`);
  return [...row.matchAll(/([0-9.]+) kB/gu)].map(([, size]) => Number(size));
};

const htmlAndTexts: readonly string[] = [
  '<!doctype',
  '<style',
  'default-src',
  ...builtInEntries.flatMap(({ short_name, error_name, detail, what_you_should_do }) => [
    short_name,
    error_name,
    detail,
    what_you_should_do,
  ]),
];

describe.each([
  { imported: 'negotiate', names: ['negotiate'], most: 3584, folders: /^negotiation\// },
  {
    imported: 'negotiate, renderJson, renderMarkdown',
    names: ['negotiate', 'renderJson', 'renderMarkdown'],
    most: 5632,
    folders: /^(?:negotiation\/|catalogue\/misread-word\.|render\/(?!html\/))/,
  },
])('a bundle of { $imported }', ({ imported, names, most, folders }) => {
  let made: Bundle;
  beforeAll(async () => {
    made = await bundle(...names);
  });

  it(`has at most ${most} bytes`, () => {
    expect(made.minified).toBeLessThanOrEqual(most);
  });

  it('has the size in the README', async () => {
    const [minified = 0, compressed = 0] = await sizesInReadme(imported);
    expect(Math.abs(made.minified - minified * 1000)).toBeLessThanOrEqual(100);
    expect(Math.abs(made.compressed - compressed * 1000)).toBeLessThanOrEqual(100);
  });

  it('ERR-141: contains neither the page nor a text of the catalogue', () => {
    for (const text of htmlAndTexts) expect(made.code).not.toContain(text);
    for (const module of made.modules) expect(module).toMatch(folders);
  });
});

describe('the text searched for in bundles', () => {
  it('is found in a bundle that contains it', async () => {
    const { code } = await bundle('createPlatformErrors');
    expect(htmlAndTexts.filter((text) => !code.includes(text.replaceAll('\n', String.raw`\n`)))).toEqual([]);
  });
});
