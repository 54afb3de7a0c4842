import { settingRules } from './rules.ts';
import type { Settings } from './settings.ts';

/** Pairs of settings: the first must not be above the second. */
const ordered = [
  ['repos_page_default', 'repos_page_max'],
  ['namespaces_page_default', 'namespaces_page_max'],
  ['log_page_default', 'log_page_max'],
  ['tokens_page_default', 'tokens_page_max'],
  ['namespace_name_min', 'namespace_name_max'],
  ['token_ttl_min', 'token_ttl_default'],
  ['token_ttl_default', 'token_ttl_max'],
  ['token_ttl_min', 'api_token_ttl_default'],
  ['api_token_ttl_default', 'api_token_ttl_max'],
] as const;

/** The first pair of settings in the wrong order: the name of one that was given, and the rule that it breaks. */
export function orderProblem(
  given: Partial<Settings>,
): { readonly setting: keyof Settings; readonly rule: string } | undefined {
  const shown = (name: (typeof ordered)[number][number]): string =>
    `${name}, which is ${valueOf(name)}${given[name] === undefined ? ' by default' : ''}`;
  const valueOf = (name: (typeof ordered)[number][number]): number => given[name] ?? Number(settingRules[name].default);
  for (const [low, high] of ordered) {
    if (valueOf(low) <= valueOf(high)) continue;
    return given[low] === undefined
      ? { setting: high, rule: `must not be below ${shown(low)}` }
      : { setting: low, rule: `must not be above ${shown(high)}` };
  }
  return undefined;
}
