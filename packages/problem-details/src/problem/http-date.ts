const day = '(?<day>\\d\\d)';
const time = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)';
const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const month = `(?<month>${months})`;

const forms = [
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), ${day} ${month} (?<year>\\d{4}) ${time} GMT`,
  `(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday), ${day}-${month}-(?<year>\\d{2}) ${time} GMT`,
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} (?<day>\\d\\d| \\d) ${time} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * Parses an HTTP date in any of its three forms (RFC 9110 §5.6.7). Ignores the name of the day.
 *
 * @param now milliseconds since the epoch. A two-digit year is the latest one that is at most 50 years after it.
 * @returns milliseconds since the epoch, or undefined if the text is not an HTTP date.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  for (const form of forms) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const read = (year: number): number | undefined => dateOf(year, groups);
    const { year = '' } = groups;
    return year.length === 4 ? read(Number(year)) : ofTwoDigits(Number(year), now, read);
  }
  return undefined;
}

function dateOf(year: number, groups: Readonly<Record<string, string>>): number | undefined {
  const { day = '', month = '', hour = '', minute = '', second = '' } = groups;
  const date = new Date(0);
  // Date.UTC maps years below 100 to the 20th century.
  date.setUTCFullYear(year, months.indexOf(month) / 4, Number(day));
  if (date.getUTCDate() !== Number(day)) return undefined;
  return date.setUTCHours(Number(hour), Number(minute), Number(second));
}

function ofTwoDigits(digits: number, now: number, read: (year: number) => number | undefined): number | undefined {
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() + 50);
  const century = Math.floor(limit.getUTCFullYear() / 100) * 100;
  for (const year of [century + digits, century + digits - 100]) {
    const date = read(year);
    if (date !== undefined && date <= limit.getTime()) return date;
  }
  return undefined;
}
