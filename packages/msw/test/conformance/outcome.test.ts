import type { CaseResult } from '@packhouse/conformance';
import { describe, expect, it } from 'vitest';
import { outcome, unexpected } from './outcome.ts';

const ended = (id: string, status: CaseResult['status'], reason: string | null = null): CaseResult => ({
  id,
  status,
  requirements: ['GIT-003'],
  level: 'MUST',
  explanation: 'made up',
  seed: 1,
  milliseconds: 7,
  reason,
  failure: null,
});

const beyond = 'needs a deployment that maintains what it stores';

describe('unexpected outcomes', () => {
  it('include nothing if all cases pass, or need something that no mock has', () => {
    expect(unexpected([ended('a/b', 'pass'), ended('a/c', 'skipped', beyond)])).toEqual([]);
  });

  it('include a skip for another reason, and any unsupported case', () => {
    expect(unexpected([ended('a/b', 'skipped', 'needs luck'), ended('a/c', 'unsupported', beyond)])).toEqual([
      'skipped a/b: needs luck',
      `unsupported a/c: ${beyond}`,
    ]);
  });

  it('do not include a known skip of this case for this reason', () => {
    const known = { 'a/b': 'needs luck' };
    expect(unexpected([ended('a/b', 'skipped', 'needs luck')], known)).toEqual([]);
    expect(unexpected([ended('a/b', 'skipped', 'needs time')], known)).toEqual(['skipped a/b: needs time']);
    expect(unexpected([ended('a/c', 'skipped', 'needs luck')], known)).toEqual(['skipped a/c: needs luck']);
  });

  it('include a pass of a case that is known to be skipped', () => {
    expect(unexpected([ended('a/b', 'pass')], { 'a/b': 'needs luck' })).toEqual([
      'pass a/b: it is known to be skipped',
    ]);
  });
});

it('every skip is reported with its reason', () => {
  const results = [ended('a/b', 'pass'), ended('a/c', 'skipped', beyond), ended('a/d', 'skipped', beyond)];
  expect(outcome('made up', results).split('\n')).toEqual([
    'made up: 1 of 3 cases pass',
    `  2 skipped, ${beyond}`,
    '  slowest: a/b 7 ms, a/c 7 ms, a/d 7 ms',
  ]);
});
