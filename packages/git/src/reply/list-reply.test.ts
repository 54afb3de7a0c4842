import { describe, expect, it } from 'vitest';
import { WorkAbortedError } from '../work/scheduler.ts';
import { listReply } from './list-reply.ts';

/** More than is gathered before a reply begins, and then a failure. */
async function* failing(error: Error): AsyncGenerator<Uint8Array, void, undefined> {
  yield new Uint8Array(300_000);
  throw error;
}

/** The errors that are logged for a reply that fails under way. */
async function toldOf(error: Error): Promise<unknown[]> {
  const told: unknown[] = [];
  let released = 0;
  const reply = await listReply(failing(error), { failed: (what) => told.push(what), released: () => released++ });
  await expect(new Response(reply as BodyInit).bytes()).rejects.toThrow();
  expect(released).toBeGreaterThan(0);
  return told;
}

describe('a list that fails under way', () => {
  it('is logged', async () => {
    const error = new Error('the store is gone');
    expect(await toldOf(error)).toEqual([error]);
  });

  it('is not told to the log if the client left', async () => {
    expect(await toldOf(new WorkAbortedError())).toEqual([]);
  });
});
