import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { trimWhenIdle } from './trim-when-idle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('collects garbage twice once no request has used the engine between two looks, and again after the next one', async () => {
  const engine = createGitEngine({ codec: nodeCodec(), memory: 100_000_000 });
  let collected = 0;
  const { stop } = trimWhenIdle({ engine, collectGarbage: () => collected++, period: 1000 });
  const looks = (count: number): void => void vi.advanceTimersByTime(count * 1000);
  looks(10);
  expect(collected).toBe(2);
  const held = await engine.admission.reserve(1000, true);
  looks(10);
  expect(collected).toBe(2);
  held.release();
  engine.buffers.give(engine.buffers.take());
  looks(1);
  expect([collected, engine.admission.reserved, engine.buffers.idleBytes]).toEqual([3, 0, 0]);
  looks(9);
  expect(collected).toBe(4);
  (await engine.admission.reserve(1000, false)).release();
  looks(1);
  expect(collected).toBe(4);
  looks(9);
  expect(collected).toBe(6);
  stop();
  (await engine.admission.reserve(1000, false)).release();
  looks(10);
  expect(collected).toBe(6);
});
