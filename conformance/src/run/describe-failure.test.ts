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

it('tells what was expected and seen', () => {
  expect(described(() => assert.equal('a', 'b', 'expected b'))).toMatchObject({ expected: 'b', seen: 'a' });
  expect(described(() => assert.match('a', /b/, 'expected b'))).toMatchObject({ expected: '/b/', seen: 'a' });
});

it.each([
  ['assert.ok', () => assert.ok(false, 'expected a word')],
  ['assert.fail', () => assert.fail('expected a word')],
])('tells of %s its sentence alone', (_name, fail) => {
  expect(described(fail)).toEqual({ message: 'expected a word', where: null });
});
