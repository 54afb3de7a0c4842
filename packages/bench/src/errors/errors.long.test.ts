import { negotiate } from '@packhouse/problem-details';
import { describe, expect, it } from 'vitest';
import { acceptHeaders } from './accept-headers.ts';
import { allocatedBytes } from './allocated-bytes.ts';
import { asyncCallsPerSecond, callsPerSecond, lastResult } from '../measures/calls-per-second.ts';
import { measureAllocations, measureNegotiationAllocations } from './measure-allocations.ts';
import { checkAgreement, negotiators } from './negotiators.ts';
import { parseErrorsOptions } from './options.ts';
import { renderAllocations, renderNegotiationAllocations, renderRates } from './table.ts';

describe('the command line', () => {
  it('has defaults and accepts every option', () => {
    expect(parseErrorsOptions([])).toEqual({ rounds: 5, out: undefined, help: false });
    const args = ['--rounds', '3', '--out', 'y.json', '--help'];
    expect(parseErrorsOptions(args)).toEqual({ rounds: 3, out: 'y.json', help: true });
  });

  it.each([['--rounds', '0'], ['--rounds', 'many'], ['--repo', 'x'], ['clone']])('refuses %s %s', (...args) => {
    expect(() => parseErrorsOptions(args)).toThrow(args[0]);
  });
});

describe('negotiations', () => {
  it('are measured for contenders that choose the same', () => {
    expect(() => checkAgreement()).not.toThrow();
    const wrong = { name: 'always HTML', prepare: () => () => 'text/html' };
    expect(() => checkAgreement([...negotiators, wrong])).toThrow('always HTML chooses text/html for axios');
  });

  it('are measured for all formats', () => {
    expect(new Set(acceptHeaders.map(({ chosen }) => chosen)).size).toBe(4);
  });
});

describe('samples', () => {
  it('make the calls', async () => {
    expect(callsPerSecond(() => 'made')).toBeGreaterThan(0);
    expect(lastResult()).toBe('made');
    expect(await asyncCallsPerSecond(async () => 'awaited')).toBeGreaterThan(0);
    expect(lastResult()).toBe('awaited');
  });
});

describe('allocations', () => {
  it('are counted', () => {
    const kept: unknown[] = [];
    const bytes = allocatedBytes(() => {
      kept[0] = Array.from({ length: 1000 }, () => 1.5);
    });
    expect(bytes).toBeGreaterThan(4000);
    expect(bytes).toBeLessThan(64_000);
    expect(allocatedBytes(() => (kept.length = 0))).toBeLessThan(16);
  });

  it('of a negotiation are few, even for a long header', () => {
    for (const { bytes } of measureNegotiationAllocations()) expect(bytes['packhouse']).toBeLessThan(512);
    for (const header of [
      `${'text/html;q=0.5,'.repeat(500)}`,
      `text/html;q=0.${'3'.repeat(8000)}`,
      '"\\'.repeat(4000),
    ]) {
      expect(allocatedBytes(() => negotiate(header))).toBeLessThan(512);
    }
  });

  it('of renderings grow with the output, by less than one object per character', () => {
    for (const { text, growth } of measureAllocations([8192])) {
      for (const { bytesPerByte } of growth) expect(bytesPerByte).toBeLessThan(text === 'plain text' ? 6 : 16);
    }
  });
});

describe('tables', () => {
  it('compare the first contender with the others', () => {
    const rows = [
      { name: 'rendering', title: 'text/html', unit: 'calls/s', gitStarts: 0, samples: { ours: [200], bare: [800] } },
    ] as const;
    expect(renderRates('rendering', rows).split('\n')[1]).toMatch(/^text\/html +calls\/s +200 +800 +4\.00$/);
  });

  it('show the cost of negotiations', () => {
    const rows = [{ sender: 'curl', bytes: { ours: 224.2, theirs: 1776 } }];
    expect(renderNegotiationAllocations(rows).split('\n')).toEqual([
      'bytes allocated by a negotiation  ours  theirs',
      'curl                               224    1776',
    ]);
  });

  it('show the growth', () => {
    const growth = [{ characters: 1024, bytesPerByte: 2 }];
    const row = { format: 'text/html', text: 'plain text', output: 100, allocated: 210.4, growth } as const;
    expect(renderAllocations([row]).split('\n')[1]).toMatch(/^text\/html +100 +210 +plain text +2\.00$/);
  });
});
