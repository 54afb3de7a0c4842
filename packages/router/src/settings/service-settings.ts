import { resolveByRules, SettingsError } from '@packhouse/base';
import { resolveSettings, settingRules, type Dialect, type Settings } from '@packhouse/hosting';
import { tagRules, type TagSettings } from '@packhouse/tagging';

/** Every setting of a service: those of repositories and those of tags. */
export const serviceRules = { ...settingRules, ...tagRules };

export interface ServiceSettings extends Settings, TagSettings {}

/** The given settings without those of tags. */
export function hostedSettings(given: Partial<ServiceSettings>): Partial<Settings> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(tagRules, name)));
}

/**
 * Adds the settings of tags to resolved ones of repositories.
 *
 * @throws {SettingsError} naming the setting and the rule it breaks.
 */
export function withTagSettings(settings: Settings, given: Partial<ServiceSettings>): ServiceSettings {
  const all = { ...settings, ...resolveByRules(tagRules, given) };
  checkZones(all);
  return Object.freeze(all);
}

/**
 * Fills in the defaults and checks everything, once, at the start.
 *
 * @throws {SettingsError} naming the setting and the rule it breaks.
 */
export function resolveServiceSettings(given: Partial<ServiceSettings>, dialect: Dialect): ServiceSettings {
  return withTagSettings(resolveSettings(hostedSettings(given), dialect), given);
}

/** No client could reach the zone of an account that is not served. */
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
