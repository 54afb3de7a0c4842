import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { readTracked, trackedFiles } from './tracked-files.ts';

const root = join(import.meta.dirname, '..', '..');
/** The Git-ignored folder for examples. Each package has one, so that its examples find its dependencies. */
const folderName = '.examples';

/** The functions that an app begins with, by their packages. */
const entries: Readonly<Record<string, readonly string[]>> = {
  hosting: ['createHosting'],
  router: ['packhouse'],
  server: ['nodeHandler', 'openHost', 'serveNode'],
  storage: ['memoryStorage', 'nodeStorage'],
  workers: ['packhouseApp', 'startLocalWorkerd'],
};

interface Example {
  readonly package: string;
  /** The symbol that the example belongs to. */
  readonly shows: string;
  readonly code: string;
}

const examples = trackedFiles()
  .filter((path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path) && !path.includes('.test.'))
  .flatMap((path): Example[] =>
    [
      ...readTracked(path).matchAll(
        / \* @example\n((?: \*(?: .*)?\n)+?) \*\/\nexport (?:async )?(?:function|const) (\w+)/g,
      ),
    ].map(([, lines = '', shows = '']) => ({
      package: path.split('/')[1] ?? '',
      shows,
      code: lines.replaceAll(/^ \* ?/gm, ''),
    })),
  );
const folders = [...new Set(examples.map((one) => join(root, 'packages', one.package, folderName)))];

/** Returns the source files behind each specifier of our packages, even if a package does not depend on another. */
function sourcesOfPackages(): Record<string, readonly string[]> {
  const manifests = trackedFiles().filter((path) => /^packages\/[^/]+\/package\.json$/.test(path));
  const specifiers = manifests.flatMap((path) => {
    const { name, exports = {} } = JSON.parse(readTracked(path)) as { name: string; exports?: Record<string, string> };
    return Object.entries(exports).map(([entry, file]): [string, string[]] => [
      `${name}${entry.slice(1)}`,
      [join(root, path, '..', file)],
    ]);
  });
  return Object.fromEntries(specifiers);
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('examples in comments', () => {
  it('exist for each function that an app begins with', () => {
    const shown = new Set(examples.map((one) => `${one.package}: ${one.shows}`));
    const wanted = Object.entries(entries).flatMap(([name, functions]) => functions.map((one) => `${name}: ${one}`));
    expect(wanted.filter((one) => !shown.has(one))).toEqual([]);
  });

  it('compile', async () => {
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    const files = examples.map(({ package: name, shows, code }) => {
      const file = join(root, 'packages', name, folderName, `${shows}.ts`);
      writeFileSync(file, `${code}\nexport {};\n`);
      return file;
    });
    const configuration = join(folders[0] ?? '', 'tsconfig.json');
    const compilerOptions = {
      noEmit: true,
      composite: false,
      lib: ['es2024', 'dom', 'dom.iterable'],
      types: ['node'],
      paths: sourcesOfPackages(),
    };
    writeFileSync(configuration, JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files }));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', configuration]).catch(
      (error: unknown) => error as { stdout: string },
    );
    // Separate projects check the sources.
    expect(stdout.split('\n').filter((line) => line.includes(folderName))).toEqual([]);
  }, 120_000);
});
