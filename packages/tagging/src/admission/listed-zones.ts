import type { ZoneDirectory } from '../model/resource-directory.ts';
import { SettingsError } from '@packhouse/base';
import { tagRules } from '../model/tagging-settings.ts';

/**
 * The zones of a setting: the account that owns each, by the id of the zone (TAG-018).
 *
 * @throws {SettingsError} for an id of another form than those of accounts, which no path could have.
 */
export function listedZones(zones: Readonly<Record<string, string>>): ZoneDirectory {
  const broken = tagRules.zones.check(zones);
  if (broken !== undefined) throw new SettingsError('zones', broken);
  const owners = new Map(Object.entries(zones));
  return { accountOf: async (zone) => owners.get(zone) };
}
