/** Formats milliseconds since 1970 as ISO 8601 in UTC with milliseconds (REPO-046). */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
