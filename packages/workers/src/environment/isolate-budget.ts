/**
 * What the service takes of an isolate at most, so that the platform has no reason to end it: local workerd enforces
 * none of this, so each line of the log tells what was taken (docs/design/workers.md, Memory, Limits).
 */
export const isolateBudget: { readonly bytesReserved: number; readonly rangesInFlight: number } = {
  /** Bytes that requests reserve at once: `bytes_reserved` in the log. */
  bytesReserved: 72 * 1_048_576,
  /** Reads of R2 that one request has under way at once: `ranges_in_flight`. Six may wait for headers; two stay free. */
  rangesInFlight: 4,
};

/** What a line of the log of a Worker says that is beyond the budget; undefined: nothing. */
export function beyondBudget(line: Readonly<Record<string, unknown>>): string | undefined {
  const { bytes_reserved: bytes = 0, ranges_in_flight: ranges = 0 } = line;
  if (Number(bytes) > isolateBudget.bytesReserved) return `${String(bytes)} bytes reserved`;
  return Number(ranges) > isolateBudget.rangesInFlight ? `${String(ranges)} ranges in flight` : undefined;
}
