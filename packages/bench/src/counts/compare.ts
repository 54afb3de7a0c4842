import type { Counts } from './counts.ts';

/** Part of a count by which it may differ from the baseline. */
const tolerance = 0.05;

/** Returns a line for each count that differs from the baseline by more than 5 %, in either direction. */
export function differences(
  rows: Readonly<Record<string, Counts>>,
  baseline: Readonly<Record<string, Counts>>,
): readonly string[] {
  const titles = [...new Set([...Object.keys(baseline), ...Object.keys(rows)])];
  return titles.flatMap((title) => {
    const [now, before] = [rows[title], baseline[title]];
    if (now === undefined || before === undefined) {
      return [`${title}: is ${now === undefined ? 'no longer measured' : 'not in the baseline'}`];
    }
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    return names.flatMap((name) => {
      const [a, b] = [before[name] ?? 0, now[name] ?? 0];
      return Math.abs(b - a) > tolerance * a ? [`${title}: ${name} was ${a}, is ${b}`] : [];
    });
  });
}
