import type { Case } from '../core/case.ts';

/** Groups of slow cases that look at packs, bytes and limits: what the dialects differ in (REPO-002) is not in these. */
const withoutConstants =
  /^(?:git\/(?:clients|closure|collection|corruption|filters|hostile|limits|mutation|races|receive-pack|regressions|round-trip|rounds|shallow|transactions|upload-pack|whole-pack)|rest\/(?:content|fork)|tags\/(?:filters|limits))\b/;

/** Whether a constant of a dialect can show in a case. One in which none can need not be run in both everywhere. */
export function mayDiffer({ id }: Pick<Case, 'id'>): boolean {
  return !withoutConstants.test(id);
}
