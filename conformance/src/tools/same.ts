import assert, { AssertionError } from 'node:assert/strict';

/**
 * Compares two values deeply.
 *
 * @param what the expectation, as a sentence for the reader of the report.
 * @throws {AssertionError} with that sentence and the difference.
 */
export function same(actual: unknown, expected: unknown, what: string): void {
  try {
    assert.deepEqual(actual, expected);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    throw new AssertionError({ message: `${what}\n${error.message}`, actual, expected });
  }
}
