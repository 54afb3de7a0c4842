import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTracked } from './tracked-files.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifest = (text: string): Manifest => JSON.parse(text);
const workers = join(import.meta.dirname, '..', '..', 'packages', 'workers', 'package.json');

describe('tools/', () => {
  it("has the version of workerd that the workspace's miniflare requires", () => {
    const miniflare: Manifest = createRequire(workers)('miniflare/package.json');
    expect(manifest(readTracked('tools/package.json')).dependencies['workerd']).toBe(miniflare.dependencies['workerd']);
  });

  it('is not needed for hints, which name the miniflare range of the workers package', () => {
    const range = manifest(readTracked('packages/workers/package.json')).peerDependencies['miniflare'] ?? 'none';
    for (const path of ['packages/cli/src/runtimes/workerd.ts', 'docs/workers.md']) {
      expect(readTracked(path), path).toContain(range);
    }
  });
});
