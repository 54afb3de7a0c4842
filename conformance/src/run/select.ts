import type { Case } from '../core/case.ts';

/**
 * Returns the cases whose id matches one of the patterns, in which `*` matches any characters; all cases if there are
 * no patterns. The id of a requirement selects the cases that check it.
 *
 * @throws {Error} naming a pattern that matches no case.
 */
export function selectCases(cases: readonly Case[], patterns: readonly string[]): readonly Case[] {
  if (patterns.length === 0) return cases;
  const tests = patterns.map((pattern) => {
    const form = new RegExp(`^${pattern.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')}$`);
    const fits = ({ id, requirements }: Case): boolean => form.test(id) || requirements.includes(pattern);
    if (!cases.some(fits)) throw new Error(`no case fits "${pattern}"`);
    return fits;
  });
  return cases.filter((testCase) => tests.some((fits) => fits(testCase)));
}
