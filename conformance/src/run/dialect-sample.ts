import type { Case } from '../core/case.ts';

/** Groups of slow cases about packs, bytes and limits, which do not depend on the dialect (REPO-002). */
const withoutConstants =
  /^(?:git\/(?:clients|closure|collection|corruption|filters|hostile|limits|mutation|races|receive-pack|regressions|round-trip|rounds|shallow|transactions|upload-pack|whole-pack)|rest\/(?:content|fork)|tags\/(?:filters|limits))\b/;

/**
 * Returns one case of each group that can show a constant of the dialect. They suffice for a deployment that runs every
 * case in the other dialect, if the service behind it runs every case in both elsewhere.
 */
export function dialectSample(cases: readonly Case[]): readonly Case[] {
  const groups = new Map<string, Case>();
  for (const one of cases) {
    const group = one.id.slice(0, one.id.lastIndexOf('/'));
    if (!withoutConstants.test(one.id) && !groups.has(group)) groups.set(group, one);
  }
  return [...groups.values()];
}
