import type { HostingError } from '@packhouse/base';
import { expect, it } from 'vitest';
import { boundedBytes } from './upload-body.ts';

it('REPO-257, LIM-051: refuses an upload that is longer than allowed, or not as announced, and cancels it', async () => {
  const read = async (pieces: readonly unknown[], size?: number): Promise<unknown> => {
    let isCancelled = false;
    const waiting = [...pieces];
    const stream = new ReadableStream({
      pull(control) {
        const piece = waiting.shift();
        if (piece instanceof Error) control.error(piece);
        else if (piece === undefined) control.close();
        else control.enqueue(piece);
      },
      cancel: () => void (isCancelled = true),
    });
    const bytes = boundedBytes({ stream, size }, 4);
    let result: unknown = 0;
    try {
      for await (const { length } of bytes.read()) result = (result as number) + length;
    } catch (error) {
      result = (error as HostingError).kind;
    }
    await bytes.end();
    return isCancelled ? `${String(result)}, cancelled` : result;
  };
  const two = new Uint8Array(2);
  expect(await read([two, two])).toBe(4);
  expect(await read([two], 2)).toBe(2);
  expect(await read([two, two, two, two, two])).toBe('bodyTooLarge, cancelled');
  expect(await read([two, two, two, two], 2)).toBe('invalidInput, cancelled');
  expect(await read([two], 3)).toBe('invalidInput');
  expect(await read([two, new Error('gone')])).toBe('invalidInput');
  expect(await read([two, 'text', two, two])).toBe('invalidInput, cancelled');
});
