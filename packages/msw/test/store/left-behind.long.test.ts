import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { LeftBehind } from './left-behind.ts';

const script = fileURLToPath(new URL('left-behind.ts', import.meta.url));

describe('a process that has used mocks', () => {
  it.each([
    ['mocks', 200],
    ['resets', 201],
    ['failures', 2],
  ])(
    'keeps none of its %s, and ends by itself',
    async (way, opened) => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, way]);
      const left = JSON.parse(stdout) as LeftBehind;
      expect(left).toMatchObject({ opened, timers: 0, unhandled: [] });
      expect(left.alive).toBeLessThanOrEqual(1);
    },
    120_000,
  );

  it('reports a seed that failed without being awaited', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, 'forgotten']);
    const { unhandled } = JSON.parse(stdout) as LeftBehind;
    expect(unhandled).toEqual([expect.stringContaining('SeedError: namespaces[0]: ')]);
  }, 120_000);
});
