import { describe, expect, it } from 'vitest';
import type { Serving } from '@packhouse/server';
import { stopOnSignals } from './stop-on-signals.ts';

/** Returns signals and a clock that the test controls, and a server that records how it was closed. */
function bench(): {
  signal: (at: number) => void;
  closes: (number | undefined)[];
  events: () => unknown[];
  log: () => string;
  stopped: () => Promise<number>;
  end: (cut: number) => void;
} {
  let listener: () => void = () => undefined;
  let clock = 0;
  let text = '';
  const closes: (number | undefined)[] = [];
  let end: (cut: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const io = {
    err: (line: string) => {
      text += line;
    },
    onSignal: (given: () => void) => {
      listener = given;
      return () => undefined;
    },
  };
  const server = {
    running: () => 3,
    close: async (grace?: number) => {
      closes.push(grace);
      return await ended;
    },
  } as unknown as Serving;
  const signals = stopOnSignals(io, () => clock);
  return {
    signal: (at) => {
      clock = at;
      listener();
    },
    closes,
    events: () =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { event: string }).event),
    log: () => text,
    stopped: () => signals.stopped(server, 30),
    end,
  };
}

describe('stopOnSignals', () => {
  it('stops once, warns at the second signal and cuts at the third; simultaneous signals count once', async () => {
    const { signal, closes, events, log, stopped, end } = bench();
    const code = stopped();
    for (const at of [10_000, 10_001, 11_999]) signal(at);
    expect(closes).toEqual([undefined]);
    expect(log()).toMatch(
      /"event":"stopping","running":3,"grace":30,"hint":"waits up to 30 s [^"]* a third one cuts them/,
    );
    for (const at of [12_000, 12_001]) signal(at);
    expect(closes).toEqual([undefined]);
    expect(events()).toEqual(['stopping', 'waiting']);
    signal(14_000);
    expect(closes).toEqual([undefined, 0]);
    end(3);
    expect(await code).toBe(1);
    expect(events()).toEqual(['stopping', 'waiting', 'stopped']);
  });

  it('obeys a signal from before the server was ready', async () => {
    const { signal, closes, stopped, end } = bench();
    signal(5_000);
    expect(closes).toEqual([]);
    const code = stopped();
    expect(closes).toEqual([undefined]);
    end(0);
    expect(await code).toBe(0);
  });
});
