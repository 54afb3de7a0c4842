import type { ZoneDirectory } from '../../ports/resource-directory.ts';

/** The zones of a setting: the account that owns each, by the id of the zone (TAG-018). */
export function listedZones(zones: Readonly<Record<string, string>>): ZoneDirectory {
  const owners = new Map(Object.entries(zones));
  return { accountOf: async (zone) => owners.get(zone) };
}
