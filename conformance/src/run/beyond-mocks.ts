import type { Case, Need } from '../core/case.ts';

/** The needs that a mock meets. A mock runs inside the program that calls it, and no other process reaches it. */
const offered: readonly Need[] = [
  'control plane',
  'fresh repo',
  'read token',
  'other account',
  'settings',
  'zone',
  'zone id',
  'streaming',
];

/** Returns true if a case needs something that no mock has. An unknown need counts as such. */
export function isBeyondMocks({ needs = [] }: Pick<Case, 'needs'>): boolean {
  return needs.some((need) => !offered.includes(need));
}
