/**
 * Maximum use of an isolate by the service, so that the platform has no reason to end it. Local workerd enforces none
 * of these limits, so each log line reports the use (docs/design/workers.md, Memory, Limits).
 */
export const isolateBudget: { readonly bytesReserved: number; readonly rangesInFlight: number } = {
  /** Bytes that all requests reserve at once: `bytes_reserved` in the log. */
  bytesReserved: 72 * 1_048_576,
  /** Concurrent R2 reads of one request: `ranges_in_flight` in the log. Six may wait for headers; two stay free. */
  rangesInFlight: 4,
};

/** Describes the use in a Worker's log line that exceeds the budget; undefined if none does. */
export function beyondBudget(line: Readonly<Record<string, unknown>>): string | undefined {
  const { bytes_reserved: bytes = 0, ranges_in_flight: ranges = 0 } = line;
  if (Number(bytes) > isolateBudget.bytesReserved) return `${String(bytes)} bytes reserved`;
  return Number(ranges) > isolateBudget.rangesInFlight ? `${String(ranges)} ranges in flight` : undefined;
}
