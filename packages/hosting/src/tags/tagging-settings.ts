import { settingRules } from '../settings/rules.ts';
import { SettingsError } from '../settings/settings-error.ts';
import type { Settings } from '../settings/settings.ts';

/** The settings that tagging has, and those of its HTTP face. */
export type TaggingSettings = Omit<Pick<Settings, Name>, 'docs_base'> & {
  /** Default: error items have no `documentation_url` (TAG-024). */
  readonly docs_base: string | undefined;
};

type Name =
  | 'tags_not_found'
  | 'account_tags_max'
  | 'resource_tags_max'
  | 'rate_tags'
  | 'rest_body_max'
  | 'docs_base'
  | 'site';

const names: readonly Name[] = [
  'tags_not_found',
  'account_tags_max',
  'resource_tags_max',
  'rate_tags',
  'rest_body_max',
  'docs_base',
  'site',
];

/**
 * Fills in defaults and checks, for tagging without the rest of the service. Other members of `given` are ignored.
 *
 * @throws {SettingsError} naming the setting and the rule it breaks.
 */
export function resolveTaggingSettings(given: Partial<TaggingSettings>): TaggingSettings {
  const filled = names.map((name) => {
    const rule = settingRules[name];
    const value = given[name] === undefined ? rule.default : given[name];
    const broken = value === undefined ? undefined : rule.check(value);
    if (broken !== undefined) throw new SettingsError(name, broken);
    return [name, value];
  });
  return Object.fromEntries(filled) as TaggingSettings;
}
