import type { ZoneDirectory } from '../model/resource-directory.ts';
import { SettingsError } from '@packhouse/base';
import { tagRules } from '../model/tagging-settings.ts';

/**
 * Makes a directory from a setting that maps zone ids to the accounts that own them (TAG-018).
 *
 * @throws {SettingsError} for an id without the form of account ids, since no path could contain it.
 */
export function listedZones(zones: Readonly<Record<string, string>>): ZoneDirectory {
  const broken = tagRules.zones.check(zones);
  if (broken !== undefined) throw new SettingsError('zones', broken);
  const owners = new Map(Object.entries(zones));
  return { accountOf: async (zone) => owners.get(zone) };
}
