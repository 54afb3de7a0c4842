import type { Case } from '../core/case.ts';

/** Groups of slow cases that look at packs, bytes and limits: what the dialects differ in (REPO-002) is not in these. */
const withoutConstants =
  /^(?:git\/(?:clients|closure|collection|corruption|filters|hostile|limits|mutation|races|receive-pack|regressions|round-trip|rounds|shallow|transactions|upload-pack|whole-pack)|rest\/(?:content|fork)|tags\/(?:filters|limits))\b/;

/**
 * A case of each group in which a constant of a dialect can show. They are enough to see that a deployment speaks a
 * dialect, where it runs every case in the other, and the service behind it every case in both elsewhere.
 */
export function dialectSample(cases: readonly Case[]): readonly Case[] {
  const groups = new Map<string, Case>();
  for (const one of cases) {
    const group = one.id.slice(0, one.id.lastIndexOf('/'));
    if (!withoutConstants.test(one.id) && !groups.has(group)) groups.set(group, one);
  }
  return [...groups.values()];
}
