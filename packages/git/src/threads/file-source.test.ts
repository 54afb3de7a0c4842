import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterAll, expect, it } from 'vitest';
import { FileSource } from './file-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'packhouse-file-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

const size = 700_000;
const bytes = Buffer.from(Uint32Array.from({ length: size / 4 }, (_, i) => i).buffer);
const path = join(folder, 'pack');
writeFileSync(path, bytes);

function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
    } catch {
      return false;
    }
  });
}

const range = fc
  .tuple(fc.nat(size), fc.oneof(fc.nat(40), fc.nat(size)))
  .map(([offset, length]) => [offset, Math.min(length, size - offset)] as const);

test.prop([fc.array(range)])('reads any range of a file', (ranges) => {
  const source = new FileSource(path);
  // The second one goes over the end of what the first one reads.
  const edges = [[0, 1] as const, [256 * 1024 - 2, 3] as const];
  for (const [offset, length] of [...edges, ...ranges]) {
    expect(bytes.subarray(offset, offset + length).equals(source.peek(offset, length))).toBe(true);
  }
  source.close();
});

it('fails where the file ends too early, and goes on with what there is', () => {
  const source = new FileSource(path);
  for (const length of [2, 300_000]) {
    expect(() => source.peek(size - 1, length)).toThrow('the pack file ends too early');
    expect([...source.peek(size - 4, 4)]).toEqual([...bytes.subarray(size - 4)]);
  }
  source.close();
});

it('opens the file when it is read, and once, until it is closed', () => {
  const source = new FileSource(path);
  expect(openFiles()).toEqual([]);
  for (const offset of [0, 400_000, 0]) {
    source.peek(offset, 1);
    expect(openFiles()).toHaveLength(1);
  }
  source.close();
  source.close();
  expect(openFiles()).toEqual([]);
  expect(source.peek(500_000, 1)).toHaveLength(1);
  source.close();
});
