/**
 * Codes for failures on the way to an origin (ERR-132 to ERR-140), the one that tells most first: where several
 * addresses were tried, the one that got furthest says what is wrong.
 */
export const originFailures = [526, 525, 520, 524, 521, 522, 523, 1016, 502] as const;

export type OriginFailure = (typeof originFailures)[number];
