const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Seconds up to which a `Date` can have the time, in any zone. */
const timeMax = 8_500_000_000_000;
/** Time zones from which on Git takes none. */
const zoneMax = 2 ** 31 - 1;

/** Ways to write a date, by the letter of their placeholders (git-log(1)): those that do not depend on the current time. */
export type DateForm = 'd' | 'D' | 'i' | 'I' | 's';

/**
 * Writes the date of a commit as Git does.
 *
 * @param time seconds since 1970. A time beyond the range of `Date` is written as 1970.
 * @param zone the time zone as the commit has it, such as `-0330`.
 */
export function formatDate(time: number, zone: string, form: DateForm): string {
  const isKnown = time < timeMax;
  const offset = isKnown && Math.abs(Number(zone)) < zoneMax ? Number(zone) : 0;
  const size = Math.abs(offset);
  const seconds = 60 * (60 * Math.floor(size / 100) + (size % 100));
  const date = new Date(1000 * ((isKnown ? time : 0) + Math.sign(offset) * seconds));
  const [day, month] = [days[date.getUTCDay()], months[date.getUTCMonth()]];
  const [year, of] = [String(date.getUTCFullYear()).padStart(4, '0'), date.getUTCDate()];
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
  const sign = offset < 0 ? '-' : '+';
  const written = sign + String(size).padStart(4, '0');
  const short = `${year}-${two(date.getUTCMonth() + 1)}-${two(of)}`;
  if (form === 's') return short;
  if (form === 'd') return `${day} ${month} ${of} ${clock} ${date.getUTCFullYear()} ${written}`;
  if (form === 'D') return `${day}, ${of} ${month} ${date.getUTCFullYear()} ${clock} ${written}`;
  if (form === 'i') return `${short} ${clock} ${written}`;
  return `${short}T${clock}${sign}${two(Math.floor(size / 100))}:${two(size % 100)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
