/**
 * Formats a time for problem details: UTC, whole seconds, `YYYY-MM-DDThh:mm:ssZ` (ERR-045, ERR-087).
 *
 * @param ms milliseconds since the epoch, in the years 0 to 9999.
 * @throws RangeError for a time outside these years.
 */
export function formatTimestamp(ms: number): string {
  const text = new Date(ms).toISOString();
  if (text.length !== 24) throw new RangeError(`not a time of the years 0 to 9999: ${ms}`);
  return text.slice(0, 19) + 'Z';
}
