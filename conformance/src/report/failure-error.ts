import type { CaseResult } from './report.ts';

/** Returns the error of a test whose case did not pass, for test runners: the failure, without secrets. */
export function failureError({ id, explanation, failure, status }: CaseResult, runSeed: number): Error {
  const { message, expected, seen, where } = failure ?? { message: '', where: null };
  const place = where === null ? '' : `\nat ${where}`;
  const error = new Error(`${explanation}\n${status}: ${message}${place}\nseed of the run ${runSeed}, case ${id}`);
  error.name = 'ConformanceError';
  // The stack would show only the runner.
  error.stack = `${error.name}: ${error.message}`;
  return Object.assign(error, expected === undefined ? {} : { expected, actual: seen });
}
