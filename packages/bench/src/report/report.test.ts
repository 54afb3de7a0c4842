import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { ratio, ratioWithoutStarts, type Row } from './row.ts';
import { median, summarize } from './statistics.ts';
import { usageIn, type Usage } from '../servers/usage.ts';
import { renderRuntimes, renderTable, renderUsage } from './table.ts';

const row = (fields: Partial<Row>): Row => ({
  name: 'clone',
  title: 'full clone',
  unit: 'ms',
  samples: { ours: [10, 30, 20], git: [40, 40, 40] },
  gitStarts: 3,
  ...fields,
});

describe('statistics', () => {
  it('summarize odd, even and single samples', () => {
    expect(summarize([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([7])).toBe(7);
    expect(() => median([])).toThrow('No samples');
  });

  test.prop([fc.array(fc.integer(), { minLength: 1 })])(
    'the median has half of the samples on each side',
    (samples) => {
      const middle = median(samples);
      expect(samples.filter((sample) => sample < middle).length).toBeLessThanOrEqual(samples.length / 2);
      expect(samples.filter((sample) => sample > middle).length).toBeLessThanOrEqual(samples.length / 2);
    },
  );
});

describe('ratios', () => {
  it('are below 1 if this server needs less', () => {
    expect(ratio(row({}), 'ours', 'git')).toBe(0.5);
    expect(ratio(row({ unit: 'requests/s', samples: { ours: [200], git: [100] } }), 'ours', 'git')).toBe(0.5);
    expect(ratio(row({ unit: 'MB' }), 'ours', 'git')).toBe(0.5);
    expect(ratio(row({}), 'ours', 'absent')).toBeNull();
  });

  it('subtract the bare start of processes', () => {
    expect(ratioWithoutStarts(row({}), 'ours', 'git', 5)).toBe(20 / 25);
    expect(ratioWithoutStarts(row({ unit: 'requests/s', samples: { ours: [100], git: [25] } }), 'ours', 'git', 5)).toBe(
      10 / 25,
    );
    expect(ratioWithoutStarts(row({}), 'ours', 'git', 14)).toBeNull();
    expect(ratioWithoutStarts(row({ unit: 'MB' }), 'ours', 'git', 5)).toBeNull();
    expect(ratioWithoutStarts(row({ gitStarts: 0 }), 'ours', 'git', 5)).toBeNull();
  });
});

describe('the table', () => {
  it('aligns medians, ranges, starts and ratios', () => {
    const rows = [row({}), row({ title: 'peak memory', unit: 'MB', samples: { ours: [120], git: [] }, gitStarts: 0 })];
    expect(renderTable(rows, { runtimes: ['ours'], others: ['git'] }, 4.5).split('\n')).toEqual([
      'measure      unit              ours               git   git starts  ratio to git  ratio less starts',
      'full clone     ms  20.0 (10.0-30.0)  40.0 (40.0-40.0)  3 x 4.50 ms          0.50               0.75',
      'peak memory    MB               120                 -            -             -                  -',
    ]);
  });

  it('compares runtimes with the first of them', () => {
    const servers = { runtimes: ['node', 'bun'], others: [] };
    const rows = [row({ samples: { node: [20], bun: [10] } })];
    expect(renderRuntimes(rows, servers).split('\n')).toEqual([
      'measure     unit  node   bun  bun to node',
      'full clone    ms  20.0  10.0         0.50',
    ]);
    expect(renderTable(rows, servers, 4.5).split('\n')).toEqual(['measure     unit  node', 'full clone    ms  20.0']);
  });

  it('shows the cost of requests', () => {
    const line =
      '{"event":"request","method":"POST","path":"/a/b.git/git-receive-pack","r2_a":3,"r2_b":0,"object_calls":4}';
    const usage = usageIn(line, 'git-receive-pack');
    expect(usage).toEqual({ r2ClassA: 3, r2ClassB: 0, objectCalls: 4 });
    for (const other of [line.replace('POST', 'GET'), line.replace('"r2_a":3,', ''), 'text', '{"event":"begin"}']) {
      expect(usageIn(other, 'git-receive-pack')).toBeUndefined();
    }
    expect(usageIn(line, 'git-upload-pack')).toBeUndefined();
    expect(renderUsage([{ server: 'workerd', title: 'a push', usage: usage as Usage }]).split('\n')).toEqual([
      'cost of one request   server  R2 class A  R2 class B  object calls',
      'a push               workerd           3           0             4',
    ]);
  });
});
