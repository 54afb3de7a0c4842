import type { Case } from './case.ts';

/** The areas of a service, each of which a deployment may have alone. The id of a case begins with its area. */
export const areas = ['rest', 'git', 'tags', 'errors', 'binding'] as const;

export type Area = (typeof areas)[number];

/** Returns the area of a case. */
export function areaOf({ id }: Pick<Case, 'id'>): Area {
  return id.slice(0, id.indexOf('/')) as Area;
}
