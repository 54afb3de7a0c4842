import type { Case } from './case.ts';

/** The areas of a service, each of which a deployment may have alone. The id of a case begins with its area. */
export const areas = ['rest', 'git', 'tags', 'errors', 'binding'] as const;

export type Area = (typeof areas)[number];

/** The finding of a probe about one area. */
export interface FoundArea {
  readonly area: Area;
  readonly found: boolean;
  /** The request that showed it, and its answer. */
  readonly evidence: string;
  /** The origin of its requests, if it is not that of the URL. */
  readonly elsewhere?: string;
}

/** Returns the area of a case. */
export function areaOf({ id }: Pick<Case, 'id'>): Area {
  return id.slice(0, id.indexOf('/')) as Area;
}
