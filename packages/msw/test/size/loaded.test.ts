import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { gitOrRest } from './git-or-rest.ts';
import type { Loaded, LoadedModule } from './load.ts';

/** Returns the modules that a new process loads for an entry, without MSW and its dependencies. */
async function loadedBy(entry: string): Promise<Loaded> {
  const program = fileURLToPath(new URL('./load.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, entry], { maxBuffer: 1 << 24 });
  return JSON.parse(stdout) as Loaded;
}

const bytesOf = (modules: readonly LoadedModule[]): number => modules.reduce((sum, [, bytes]) => sum + bytes, 0);
const isGitOrRest = ([url]: LoadedModule): boolean => gitOrRest.test(url);

/** Without a bundler, Node loads a whole module even if the mock uses no part of it. */
describe('what a test file pays for a mock in Node', () => {
  it.each([
    ['tagging', 230, 492_000],
    ['errors', 200, 400_000],
  ])('%s: at most %i modules of %i bytes, and no Git, not even when it is used', async (entry, most, mostBytes) => {
    const { imported, used } = await loadedBy(entry);
    expect(imported.some(([url]) => url.includes('problem-details'))).toBe(true);
    expect([...imported, ...used].filter(isGitOrRest)).toEqual([]);
    expect(imported.length).toBeLessThan(most);
    expect(bytesOf(imported)).toBeLessThan(mostBytes);
    expect(used).toEqual([]);
  });

  it('index: at most 880 modules of 3,060,000 bytes, with Git', async () => {
    const { imported, used } = await loadedBy('index');
    expect(imported.some(isGitOrRest)).toBe(true);
    expect(imported.length).toBeLessThan(880);
    expect(bytesOf(imported)).toBeLessThan(3_060_000);
    expect(used).toEqual([]);
  });
});
