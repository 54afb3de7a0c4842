import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startProgress, type Progress } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function started(io: { terminal?: boolean; columns?: number; env?: Readonly<Record<string, string>> }): {
  readonly progress: Progress;
  readonly written: string[];
} {
  const written: string[] = [];
  const { terminal = true, columns = 40, env = {} } = io;
  const err = (text: string): void => void written.push(text);
  return { progress: startProgress({ err, errIsTerminal: terminal, columns, env }), written };
}

describe('progress on a terminal', () => {
  it('rewrites one line, at most every 100 ms, and removes it at the end', () => {
    const { progress, written } = started({});
    progress.show('one');
    progress.show('two');
    progress.show('three');
    expect(written).toEqual(['\rone\x1b[K']);
    vi.advanceTimersByTime(100);
    expect(written.slice(1)).toEqual(['\rthree\x1b[K']);
    vi.advanceTimersByTime(500);
    progress.end();
    progress.end();
    expect(written.slice(2)).toEqual(['\r\x1b[K']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('shows the elapsed time after two seconds', () => {
    const { progress, written } = started({});
    progress.show('one');
    vi.advanceTimersByTime(3500);
    expect(written).toEqual(['\rone\x1b[K', '\rone (2 s)\x1b[K', '\rone (3 s)\x1b[K']);
    progress.end();
  });

  it('fits one line of the terminal, and never lets text move the cursor', () => {
    const { progress, written } = started({ columns: 10 });
    progress.show('环境环境环境\x1b[2J');
    expect(written).toEqual(['\r环境环境\x1b[K']);
    progress.end();
  });

  it('writes nothing if nothing was shown', () => {
    const { progress, written } = started({});
    vi.advanceTimersByTime(5000);
    progress.end();
    expect(written).toEqual([]);
  });
});

it.each([{ terminal: false }, { env: { TERM: 'dumb' } }])('writes no progress with %j', (io) => {
  const { progress, written } = started(io);
  progress.show('one');
  vi.advanceTimersByTime(5000);
  progress.end();
  expect([progress.isShown, written, vi.getTimerCount()]).toEqual([false, [], 0]);
});
