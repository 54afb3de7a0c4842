import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { Fault, Seed } from '../../src/index.ts';
import { clockedMock, send } from './clocked-mock.ts';
import { copied } from '../../src/values/copied.ts';
import { held } from './seen.ts';

/** Changes everything that can be changed. */
function spoil(data: unknown): void {
  if (typeof data !== 'object' || data === null) return;
  if (data instanceof Uint8Array) return void data.fill(7);
  for (const value of Object.values(data)) spoil(value);
  for (const name of Object.keys(data)) delete (data as Record<string, unknown>)[name];
}

const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constantFrom(null, undefined), fc.uint8Array());
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('tree')),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')), tie('tree')),
  ),
}));

describe('a copy of data', () => {
  test.prop([tree])('equals the original, and changes to one do not affect the other', (data) => {
    const [copy, other] = [copied(data), copied(data)];
    expect(copy).toEqual(data);
    spoil(data);
    expect(copy).toEqual(other);
  });

  it('keeps values that are not data, and copies circular data', () => {
    const now = new Date(0);
    const circle: Record<string, unknown> = { now, ends: () => 1 };
    circle['self'] = circle;
    const copy = copied(circle);
    expect(copy['self']).toBe(copy);
    expect(copy).not.toBe(circle);
    expect([copy['now'], copy['ends']]).toEqual([now, circle['ends']]);
  });

  it('copies bytes, not a view of them', () => {
    const bytes = Buffer.from('abc');
    const copy = copied({ bytes, again: bytes });
    bytes.fill(0);
    expect(new TextDecoder().decode(copy.bytes)).toBe('abc');
    expect(copy.again).toBe(copy.bytes);
  });
});

describe('inputs of a mock', () => {
  const given = (): { readonly seed: Seed; readonly faults: readonly Fault<Seed>[] } => ({
    seed: {
      namespaces: ['empty'],
      repos: { notes: { files: { 'a.txt': new TextEncoder().encode('a\n') }, tags: { v1: 0 } } },
      tags: [{ repo: 'notes', tags: { env: 'test' } }],
    },
    faults: [{ kind: 'changed page', add: { namespaces: ['later'] }, remove: ['notes'] }],
  });
  const options = { baseUrl: 'https://api.example.test', clock: { now: () => Date.UTC(2026, 0, 1) } };

  it('may be changed later, even at once, and so may its outputs', async () => {
    const first = given();
    const mock = clockedMock({ ...options, ...first });
    spoil(first);
    const right = await held(clockedMock({ ...options, ...given() }));
    expect(await held(mock)).toEqual(right);
    spoil(mock.faults.current);
    await mock.store.reset();
    expect(await held(mock)).toEqual(right);

    const more: Seed = { repos: { more: { files: { b: 'b\n' } } } };
    const adding = mock.store.seed(more);
    spoil(more);
    await adding;
    expect(await mock.store.inspect.file('more', 'b')).toBe('b\n');

    const [fault] = given().faults as [Fault<Seed>];
    mock.faults.clear();
    mock.faults.add(fault);
    spoil(fault);
    await send(mock.handlers, {
      method: 'GET',
      url: `${mock.restUrl}/namespaces`,
      headers: { authorization: 'Bearer any' },
    });
    const names = (await mock.store.inspect.namespaces()).map(({ namespace }) => namespace);
    expect(names).toContain('later');
  });
});
