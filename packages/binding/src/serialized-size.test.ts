import { serialize } from 'node:v8';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { serializedSize } from './serialized-size.ts';

const entry = fc.record({
  name: fc.string({ unit: 'binary', maxLength: 40 }),
  mode: fc.constant('100644'),
  at: fc.integer(),
});

describe('serializedSize', () => {
  test.prop([fc.array(entry, { maxLength: 30 })])('BIND-074: is never too small', (value) => {
    expect(serializedSize(value)).toBeGreaterThanOrEqual(serialize(value).length - 2);
  });

  it('BIND-074: is not much too large', () => {
    const hash = 'ab'.repeat(20);
    const tree = Array.from({ length: 1000 }, (_, i) => ({ name: `file-${i}.ts`, mode: '100644', hash, type: 'blob' }));
    expect(serializedSize(tree) / serialize(tree).length).toBeLessThan(1.8);
    const commit = [{ message: 'x'.repeat(100_000), author: { name: 'Ada' } }];
    expect(serializedSize(commit) / serialize(commit).length).toBeLessThan(1.01);
  });
});
