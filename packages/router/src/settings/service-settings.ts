import { resolveByRules, SettingsError } from '@packhouse/base';
import { resolveSettings, settingRules, type Dialect, type Settings } from '@packhouse/hosting';
import { tagRules, type TagSettings } from '@packhouse/tagging';

/** The rule of every setting of a service, for repositories and for tags. */
export const serviceRules = { ...settingRules, ...tagRules };

/** The settings of a service, by their names in the specification. */
export interface ServiceSettings extends Settings, TagSettings {}

/** Returns the given settings without those of tags. */
export function hostedSettings(given: Partial<ServiceSettings>): Partial<Settings> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(tagRules, name)));
}

/**
 * Adds the settings of tags to resolved settings of repositories.
 *
 * @throws {SettingsError} naming the setting and the rule it breaks.
 */
export function withTagSettings(settings: Settings, given: Partial<ServiceSettings>): ServiceSettings {
  const all = { ...settings, ...resolveByRules(tagRules, given) };
  checkZones(all);
  return Object.freeze(all);
}

/**
 * Fills in defaults and checks all settings.
 *
 * @throws {SettingsError} naming the setting and the rule it breaks.
 */
export function resolveServiceSettings(given: Partial<ServiceSettings>, dialect: Dialect): ServiceSettings {
  return withTagSettings(resolveSettings(hostedSettings(given), dialect), given);
}

/** Rejects a zone whose account is not served, because no client could reach such a zone. */
function checkZones({ zones, accounts }: ServiceSettings): void {
  if (accounts === 'any') return;
  const lost = Object.entries(zones).find(([, account]) => !accounts.includes(account));
  if (lost === undefined) return;
  const [zone, account] = lost;
  throw new SettingsError(
    'zones',
    `must not have the zone "${zone}" of the account "${account}", which is none of those served (TAG-018)`,
  );
}
