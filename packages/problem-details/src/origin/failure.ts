/**
 * Codes for failures of connecting to an origin (ERR-132 to ERR-140), most specific first. If several addresses failed,
 * the one that got furthest decides.
 */
export const originFailures = [526, 525, 520, 524, 521, 522, 523, 1016, 502] as const;

export type OriginFailure = (typeof originFailures)[number];
