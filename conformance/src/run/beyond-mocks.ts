import type { Case, Need } from '../core/case.ts';

/** What a mock offers: a service within the program that asks it, which no other process reaches. */
const offered: readonly Need[] = ['read token', 'other account', 'settings', 'zone', 'zone id', 'streaming'];

/** Whether a case needs what no mock has. A need that is new is taken for one of these. */
export function isBeyondMocks({ needs = [] }: Pick<Case, 'needs'>): boolean {
  return needs.some((need) => !offered.includes(need));
}
