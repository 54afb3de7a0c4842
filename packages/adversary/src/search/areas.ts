import type { Area } from './inputs/area.ts';
import { contentArea } from './areas/content.ts';
import { fetchArea } from './areas/fetch.ts';
import { forksArea } from './areas/forks.ts';
import { importsArea } from './areas/imports.ts';
import { maintenanceArea } from './areas/maintenance.ts';
import { mocksArea } from './areas/mocks.ts';
import { pushArea } from './areas/push.ts';
import { tagsArea } from './areas/tags.ts';

/** All areas of hostile inputs, with the share of inputs that each gets. */
export const areas: readonly { readonly area: Area; readonly share: number }[] = [
  { area: pushArea, share: 0.3 },
  { area: fetchArea, share: 0.25 },
  { area: contentArea, share: 0.1 },
  { area: tagsArea, share: 0.1 },
  { area: forksArea, share: 0.05 },
  { area: importsArea, share: 0.1 },
  { area: maintenanceArea, share: 0.05 },
  { area: mocksArea, share: 0.05 },
];

/**
 * Returns the area with a name.
 *
 * @throws {RangeError} for an unknown name.
 */
export function areaNamed(name: string): Area {
  const found = areas.find(({ area }) => area.name === name);
  if (found === undefined)
    throw new RangeError(`there is no area ${name}: ${areas.map(({ area }) => area.name).join(', ')}`);
  return found.area;
}
