import { describe, expect, it } from 'vitest';
import { publishable } from '../packed/pack.ts';
import { promises } from '../packed/promises.ts';
import { readTracked, trackedFiles } from './tracked-files.ts';

interface FullManifest {
  readonly name: string;
  readonly version: string;
  readonly homepage: string;
  readonly bugs: string;
  readonly author: string;
  readonly license: string;
  readonly repository: { readonly type: string; readonly url: string };
  readonly exports: object;
}

const files = trackedFiles();
const read = (path: string): unknown => JSON.parse(readTracked(path));
const root = read('package.json') as FullManifest;
const { version } = publishable[0]?.manifest ?? {};

describe.each(publishable.map(({ folder, manifest }) => [manifest.name, folder] as const))('%s', (name, folder) => {
  const manifest = read(`${folder}/package.json`) as FullManifest;

  it('names its owner and its source, as the root does', () => {
    expect(manifest).toMatchObject({
      author: root.author,
      license: root.license,
      bugs: root.bugs,
      homepage: root.homepage.replace('#', `/tree/main/${folder}#`),
      repository: { ...root.repository, directory: folder },
      keywords: expect.arrayContaining([expect.any(String)]),
      engines: { node: expect.stringMatching(/^>=\d+\.\d+$/) },
      publishConfig: { access: 'public' },
    });
  });

  it('has a README that begins with its name, and a list of its runtimes', () => {
    expect(readTracked(`${folder}/README.md`)).toMatch(new RegExp(`^# (${name}|Conformance suite)\n`));
    expect(promises[name]?.on.length).toBeGreaterThan(0);
  });

  it('builds itself before it is packed', () => {
    expect(manifest).toMatchObject({
      scripts: { prepack: expect.stringMatching(/^node (\.\.\/)+\.ci\/prepack\.mjs$/) },
    });
  });

  it('has the common version', () => expect(manifest.version).toBe(version));
});

describe.each(files.filter((path) => path.endsWith('/jsr.json')))('%s', (path) => {
  it('has the name, version, licence and exports of package.json', () => {
    const { name, version: own, license, exports } = read(path.replace('jsr.json', 'package.json')) as FullManifest;
    expect(read(path)).toMatchObject({ name, version: own, license, exports });
  });
});

describe('a release', () => {
  it('has one version for all packages, which the service reports', () => {
    expect(readTracked('packages/hosting/src/outbound/version.ts')).toContain(`version = '${version}'`);
    expect(read('.changeset/config.json')).toMatchObject({ fixed: [['@packhouse/*']] });
    for (const { manifest } of publishable) expect(manifest.name).toMatch(/^@packhouse\//);
  });

  it('publishes with provenance, after CI, without a secret', () => {
    const text = readTracked('.github/workflows/release.yml');
    expect(text).toMatch(/^ {2}publish:\n {4}needs: ci\n/m);
    expect(text).toMatch(/^ {2}ci:\n {4}uses: \.\/\.github\/workflows\/ci\.yml\n/m);
    expect(text).toMatch(/ publish .*--provenance/);
    expect(text).not.toContain('secrets.');
  });
});

describe.each(files.filter((path) => path.startsWith('.github/workflows/')))('%s', (path) => {
  const text = readTracked(path);

  it('pins each action to a commit', () => {
    const used = [...text.matchAll(/\buses: (\S+)/g)].map((match) => match[1] ?? '');
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^\.\/|@[0-9a-f]{40}$/);
  });

  it('has read permission only, unless a job says more, and caches nothing', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    expect(text).not.toMatch(/actions\/cache|^ +cache:/m);
    expect(text.match(/actions\/checkout@/g)?.length).toBe(text.match(/persist-credentials: false/g)?.length);
  });
});

it('CI runs .ci/run, on pull requests and before a release', () => {
  const text = readTracked('.github/workflows/ci.yml');
  expect(text).toContain('- run: .ci/run\n');
  expect(text).toMatch(/^ {2}pull_request:\n[^]*^ {2}workflow_call:\n/m);
});
