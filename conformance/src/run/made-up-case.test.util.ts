import type { Case } from '../core/case.ts';

/** Creates a case for tests of the runner. */
export function madeUp(run: Case['run'], more: Partial<Case> = {}): Case {
  return { id: 'made-up/one', requirements: ['REPO-007'], level: 'MUST', explanation: 'It does.', ...more, run };
}
