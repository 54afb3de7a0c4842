import { settingRules } from '../settings/rules.ts';
import type { Settings } from '../settings/settings.ts';

/** Settings of which the first must not be above the second; `resolveSettings` holds them to the same. */
const ordered: readonly (readonly [keyof Settings, keyof Settings])[] = [
  ['repos_page_default', 'repos_page_max'],
  ['namespaces_page_default', 'namespaces_page_max'],
  ['log_page_default', 'log_page_max'],
  ['tokens_page_default', 'tokens_page_max'],
  ['namespace_name_min', 'namespace_name_max'],
  ['token_ttl_min', 'token_ttl_default'],
  ['token_ttl_default', 'token_ttl_max'],
];

/** The first pair in the wrong order, told from the member that the file has; undefined if all are in order. */
export function orderProblem(settings: Readonly<Record<string, unknown>>): string | undefined {
  const has = (name: string): boolean => Object.hasOwn(settings, name);
  const valueOf = (name: keyof Settings): number => Number(has(name) ? settings[name] : settingRules[name].default);
  const told = (name: keyof Settings): string =>
    `${name}, which is ${valueOf(name)}${has(name) ? '' : ' unless the file has it too'}`;
  for (const [low, high] of ordered) {
    if (valueOf(low) <= valueOf(high)) continue;
    return has(low) ? `${low}: must not be above ${told(high)}` : `${high}: must not be below ${told(low)}`;
  }
  return undefined;
}
