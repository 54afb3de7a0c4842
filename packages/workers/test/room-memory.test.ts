import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RoomMemory } from '../src/service/room-memory.ts';

const gibi = 1024 ** 3;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Asks for an account that holds `bytes`; answers how often the catalog was asked. */
function asking(memory: RoomMemory, account: string, bytes: number) {
  let asked = 0;
  return async (): Promise<{ readonly bytes: number; readonly asked: number }> => {
    const found = await memory.storedBytes(account, async () => {
      asked += 1;
      return bytes;
    });
    return { bytes: found, asked };
  };
}

it('LIM-012: what an account holds is asked for once a minute, each for itself', async () => {
  const memory = new RoomMemory(100 * gibi);
  const [one, other] = [asking(memory, 'one', 1), asking(memory, 'other', 2)];
  for (let i = 0; i < 3; i++) expect(await one()).toEqual({ bytes: 1, asked: 1 });
  expect(await other()).toEqual({ bytes: 2, asked: 1 });
  vi.advanceTimersByTime(60_000);
  expect(await one()).toEqual({ bytes: 1, asked: 2 });
});

it('LIM-012: an account near its limit is asked about each time', async () => {
  const near = asking(new RoomMemory(100 * gibi), 'near', 96 * gibi + 1);
  for (let i = 1; i <= 3; i++) expect(await near()).toMatchObject({ asked: i });
});

it('LIM-012: a failure is not remembered', async () => {
  const memory = new RoomMemory(100 * gibi);
  await expect(memory.storedBytes('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await asking(memory, 'a', 5)()).toEqual({ bytes: 5, asked: 1 });
});

it('LIM-012: a fork is held to what the account has by then, however lately that was asked', async () => {
  let bytes = 0;
  const calls = {
    reserveRepo: async () => ({ kind: 'exists' }),
    publishRepo: async () => true,
    storedBytes: async () => bytes,
  };
  const room = new RoomMemory(100 * gibi);
  const catalog = room.remembering('a', calls as never);
  expect(await catalog.storedBytes()).toBe(0);
  bytes = 70 * gibi;
  expect(await catalog.storedBytes()).toBe(0);
  await catalog.reserveRepo({ status: 'creating' } as never, {} as never);
  await catalog.publishRepo('created');
  expect(await catalog.storedBytes()).toBe(0);
  await catalog.reserveRepo({ status: 'forking' } as never, {} as never);
  expect(await catalog.storedBytes()).toBe(70 * gibi);
  bytes = 90 * gibi;
  await catalog.publishRepo('fork', {} as never);
  expect(await catalog.storedBytes()).toBe(90 * gibi);
});
