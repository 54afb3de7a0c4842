import { expect, it } from 'vitest';
import { newPackId, type PackId, type PackStore } from '../ports/pack-store.ts';
import { PreparedPacks } from './prepared-packs.ts';

const unlimited = Infinity;

function world({ max = 1_000, makingMax = Infinity } = {}) {
  const stored = new Set<PackId>();
  const packs = { remove: async (id: PackId) => void stored.delete(id) } as PackStore;
  let now = 0;
  const prepared = new PreparedPacks({ max, makingMax, now: () => now });
  const keep = (key: string, size: number, repository = 'one', left = unlimited): void => {
    const id = newPackId();
    stored.add(id);
    prepared.keep(key, repository, { id, packs, size, objects: 1 }, left);
  };
  const has = (key: string, repository = 'one', left = unlimited): boolean => {
    const lease = prepared.take(key, repository, left);
    lease?.release?.();
    return lease !== undefined;
  };
  return { prepared, stored, keep, has, pass: (time: number) => void (now += time) };
}

it('LIM-071: removes the packs that were not used for the longest time, to stay within the limit', () => {
  const { stored, keep, has } = world();
  for (const name of ['a', 'b', 'c', 'd']) keep(name, 250, name);
  expect(has('a', 'a')).toBe(true);
  keep('e', 200, 'e');
  expect(['a', 'b', 'c', 'd', 'e'].filter((name) => has(name, name))).toEqual(['a', 'c', 'd', 'e']);
  expect(stored.size).toBe(4);
});

it('LIM-071: one repository gets a quarter of the limit', () => {
  const { stored, keep, has } = world();
  keep('other', 200, 'other');
  for (const name of ['a', 'b', 'c']) keep(name, 100);
  expect([has('a'), has('b'), has('c'), has('other', 'other')]).toEqual([false, true, true, true]);
  expect(stored.size).toBe(3);
});

it('LIM-050: a repository without room has none, also if it has grown since', () => {
  const { stored, keep, has } = world();
  keep('a', 100, 'one', 99);
  expect(stored.size).toBe(0);
  keep('b', 100);
  expect([has('b', 'one', 100), has('b', 'one', 99)]).toEqual([true, false]);
  expect(stored.size).toBe(0);
});

it('keeps the bytes of a pack that is being sent until it was sent', () => {
  const { prepared, stored, keep, has } = world();
  keep('a', 200);
  const [lease, other] = [prepared.take('a', 'one', unlimited), prepared.take('a', 'one', unlimited)];
  keep('b', 200);
  expect([has('a'), stored.size]).toEqual([false, 2]);
  lease?.release?.();
  lease?.release?.();
  expect(stored.size).toBe(2);
  other?.release?.();
  expect(stored.size).toBe(1);
});

it('LIM-071: counts removed packs until the last client has them', () => {
  const { prepared, stored, keep } = world();
  const leases = ['a', 'b', 'c', 'd'].map((name) => {
    keep(name, 250, name);
    const lease = prepared.take(name, name, unlimited);
    prepared.forget(name);
    return lease;
  });
  expect([prepared.room(unlimited), stored.size]).toEqual([0, 4]);
  keep('e', 1, 'e');
  expect(stored.size).toBe(4);
  leases[0]?.release?.();
  leases[0]?.release?.();
  expect([prepared.room(unlimited), stored.size]).toEqual([250, 3]);
});

it('GIT-153: removes a pack long before the sweep of leftovers would', () => {
  const { stored, keep, has, pass } = world();
  keep('a', 100);
  pass(12 * 3_600_000);
  expect(has('a')).toBe(true);
  pass(1);
  expect([has('a'), stored.size]).toEqual([false, 0]);
});

it('makes one pack at a time, and each once', async () => {
  const { prepared, keep } = world();
  const made: string[] = [];
  let end = (): void => {};
  const make = (key: string) => () => {
    made.push(key);
    return new Promise<void>((resolve) => (end = resolve));
  };
  const first = prepared.make('a', 'one', make('a'));
  await prepared.make('b', 'one', make('b'));
  keep('a', 100);
  end();
  await first;
  await prepared.make('a', 'one', make('a'));
  void prepared.make('b', 'one', make('b'));
  expect(made).toEqual(['a', 'b']);
});

it('makes way on a full disk, and makes no pack for ten minutes', async () => {
  const { prepared, stored, keep, pass } = world();
  keep('a', 100);
  keep('b', 100);
  const lease = prepared.take('b', 'one', unlimited);
  prepared.makeWay();
  expect(stored.size).toBe(1);
  lease?.release?.();
  expect(stored.size).toBe(0);
  const make = async (): Promise<void> => keep('c', 100);
  pass(599_999);
  await prepared.make('c', 'one', make);
  expect(stored.size).toBe(0);
  pass(1);
  await prepared.make('c', 'one', make);
  expect(stored.size).toBe(1);
});

it('makes another pack once a runtime has ended the maker of the first', async () => {
  const { prepared, keep, has, pass } = world({ makingMax: 60_000 });
  void prepared.make('a', 'one', () => new Promise(() => {}));
  const make = async (): Promise<void> => keep('b', 100);
  pass(59_999);
  await prepared.make('b', 'one', make);
  expect(has('b')).toBe(false);
  pass(1);
  await prepared.make('b', 'one', make);
  expect(has('b')).toBe(true);
});

it('at its end, waits for the pack that is being made, removes all, and makes no more', async () => {
  const { prepared, stored, keep } = world();
  keep('a', 100);
  let end = (): void => {};
  let ending: AbortSignal | undefined;
  void prepared.make('b', 'one', async (signal) => {
    ending = signal;
    await new Promise<void>((resolve) => (end = resolve));
    keep('b', 100);
  });
  expect(ending?.aborted).toBe(false);
  const closed = prepared.close();
  expect(ending?.aborted).toBe(true);
  end();
  await closed;
  expect(stored.size).toBe(0);
  await prepared.make('c', 'one', () => expect.unreachable());
});

it('GIT-127: forgets the packs of a repository that has lost objects, also one that is being made', async () => {
  const { prepared, stored, keep, has } = world();
  keep('a', 100);
  keep('other', 100, 'other');
  let end = (): void => {};
  const making = prepared.make('b', 'one', async () => {
    await new Promise<void>((resolve) => (end = resolve));
    keep('b', 100);
  });
  prepared.forgetRepository('one');
  end();
  await making;
  expect([has('a'), has('b'), has('other', 'other'), stored.size]).toEqual([false, false, true, 1]);
  await prepared.make('b', 'one', async () => keep('b', 100));
  expect(has('b')).toBe(true);
});
