import type { Case } from '../core/case.ts';

/**
 * The cases whose id fits one of the patterns, in which `*` stands for any characters; all if there are none. A
 * pattern that is the id of a requirement takes the cases that prove it.
 *
 * @throws {Error} naming a pattern that fits nothing.
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
