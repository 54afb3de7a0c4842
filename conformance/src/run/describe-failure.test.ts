import assert from 'node:assert/strict';
import { expect, it } from 'vitest';
import type { Failure } from '../report/report.ts';
import { describeFailure } from './describe-failure.ts';
import { Secrets } from '../core/secrets.ts';

function described(fail: () => void): Failure {
  try {
    fail();
  } catch (error) {
    return describeFailure(error, new Secrets());
  }
  throw new Error('nothing was thrown');
}

it('contains the expected and the actual value', () => {
  expect(described(() => assert.equal('a', 'b', 'expected b'))).toMatchObject({ expected: 'b', seen: 'a' });
  expect(described(() => assert.match('a', /b/, 'expected b'))).toMatchObject({ expected: '/b/', seen: 'a' });
});

it.each([
  ['assert.ok', () => assert.ok(false, 'expected a word')],
  ['assert.fail', () => assert.fail('expected a word')],
])('contains only the sentence of %s', (_name, fail) => {
  expect(described(fail)).toEqual({ message: 'expected a word', where: null });
});
