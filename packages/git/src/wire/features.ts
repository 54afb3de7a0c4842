/**
 * Enabled features of the protocol. One set decides both what is advertised and what is accepted, so that they always
 * agree (GIT-048).
 */

/** Parts of upload-pack beyond listing, negotiating and sending whole packs. */
export type Feature =
  /** Depth, by count, date or ref (GIT-072 to GIT-077). */
  | 'shallow'
  /** Partial clones (section 5). */
  | 'filter'
  /** `want-ref` (GIT-098). */
  | 'ref-in-want'
  /** Replies in side-band packets throughout (GIT-099). */
  | 'sideband-all'
  /** No pack before the client sends `done` (GIT-097). */
  | 'wait-for-done'
  /** The command `object-info` (GIT-100). */
  | 'object-info';

export type FeatureSet = ReadonlySet<Feature>;

/** The features of this release. */
export const servedFeatures: FeatureSet = new Set<Feature>([
  'shallow',
  'filter',
  'ref-in-want',
  'sideband-all',
  'wait-for-done',
  'object-info',
]);
