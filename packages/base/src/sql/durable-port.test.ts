import { expect, it } from 'vitest';
import { durablePort } from './durable-port.ts';

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Port {
  readonly #value = 5;
  readonly name = 'port';

  async read(add: number): Promise<number> {
    return this.#value + add;
  }

  async refuse(): Promise<never> {
    throw new Error('stale');
  }

  now(): number {
    return this.#value;
  }
}

function open() {
  let end: () => void = () => {};
  let fail: (error: Error) => void = () => {};
  let waiting: Promise<void> | undefined = new Promise((resolve, reject) => {
    end = () => {
      waiting = undefined;
      resolve();
    };
    fail = reject;
  });
  return { port: durablePort(new Port(), { durable: () => waiting }), end: () => end(), fail: (e: Error) => fail(e) };
}

it('GIT-155: holds results and errors back until they are durable', async () => {
  const { port, end } = open();
  const seen: unknown[] = [];
  void port.read(1).then((value) => seen.push(value));
  void port.refuse().catch((error: Error) => seen.push(error.message));
  await soon();
  expect([seen, port.name, port.now()]).toEqual([[], 'port', 5]);
  end();
  await soon();
  expect(seen.toSorted()).toEqual([6, 'stale']);
  expect(await port.read(2)).toBe(7);
});

it('REPO-178: rejects with the error of a sync that failed', async () => {
  const { port, fail } = open();
  const reading = port.read(1);
  fail(new Error('ENOSPC'));
  await expect(reading).rejects.toThrow('ENOSPC');
});
