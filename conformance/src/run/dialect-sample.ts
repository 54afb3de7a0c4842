import type { Case } from '../core/case.ts';

/** Groups of slow cases about packs, bytes and limits, which do not depend on the dialect (REPO-002). */
const withoutConstants =
  /^(?:git\/(?:clients|closure|collection|corruption|filters|hostile|limits|mutation|races|receive-pack|recorded|regressions|round-trip|rounds|samples|shallow|transactions|upload-pack|whole-pack)|rest\/(?:content|fork|stateful)|tags\/(?:filters|limits|stateful))\b/;

/**
 * Returns one case of each group that can show a constant of the dialect. They suffice for a deployment that runs every
 * case in the other dialect, if the service behind it runs {@link secondDialect} elsewhere.
 */
export function dialectSample(cases: readonly Case[]): readonly Case[] {
  return oncePerGroup(
    cases.filter(({ id }) => !withoutConstants.test(id)),
    () => true,
  );
}

/**
 * Returns the cases for a service that runs every case in the other dialect: of groups about Git that do not depend on
 * the dialect, one case each.
 */
export function secondDialect(cases: readonly Case[]): readonly Case[] {
  return oncePerGroup(cases, ({ id }) => id.startsWith('git/') && withoutConstants.test(id));
}

/** Returns the cases for a place where another service on the same engine runs all of them: one of each slow group. */
export function oncePerSlowGroup(cases: readonly Case[]): readonly Case[] {
  return oncePerGroup(cases, ({ id }) => id.startsWith('git/') || withoutConstants.test(id));
}

/**
 * Returns one case of each group, or with `every` one of so many. The seed chooses which: over many seeds, each case has
 * its turn. Returns all cases without a seed.
 *
 * @param turn With any seed, the turns from 0 to `every - 1` have all cases between them. Default: 0.
 */
export function groupSample(
  cases: readonly Case[],
  seed: number | undefined,
  every: number = Infinity,
  turn: number = 0,
): readonly Case[] {
  if (seed === undefined) return cases;
  const groups = Map.groupBy(cases, groupOf);
  const chosen = [...groups.values()].flatMap((group) => {
    const step = Math.min(group.length, every);
    return group.filter((_, i) => i % step === (seed + turn) % step);
  });
  const ids = new Set(chosen.map(({ id }) => id));
  return cases.filter(({ id }) => ids.has(id));
}

function groupOf({ id }: Case): string {
  return id.slice(0, id.lastIndexOf('/'));
}

/** Returns the cases, but of those that `isSampled` names only the first of each group. */
function oncePerGroup(cases: readonly Case[], isSampled: (one: Case) => boolean): readonly Case[] {
  const groups = new Set<string>();
  return cases.filter((one) => {
    if (!isSampled(one)) return true;
    const group = groupOf(one);
    if (groups.has(group)) return false;
    groups.add(group);
    return true;
  });
}
