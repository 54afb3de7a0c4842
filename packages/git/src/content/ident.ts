/** The parts of an ident line: views of it. */
export interface Ident {
  readonly name: Uint8Array;
  readonly email: Uint8Array;
  /** Seconds since 1970, of any size; 0 where there is no whole date. */
  readonly time: number;
  /** Its digits as written; empty where there is no whole date. */
  readonly digits: Uint8Array;
  /** Time zone as written, such as `+0230`: a sign and any digits; empty where there is no whole date. */
  readonly zone: Uint8Array;
}

const [lessThan, greaterThan, plus, minus] = [60, 62, 43, 45];

/**
 * Splits what stands behind `author ` as Git does (`split_ident_line`): the name ends before the first `<`, the address at
 * the first `>` behind that, and the date stands behind the last one, which counts only with its time zone. Never fails:
 * what is not there is empty.
 */
export function parseIdent(line: Uint8Array): Ident {
  const none = line.subarray(0, 0);
  const mailStart = line.indexOf(lessThan) + 1;
  const mailEnd = mailStart === 0 ? -1 : line.indexOf(greaterThan, mailStart);
  if (mailEnd < 0) return { name: none, email: none, time: 0, digits: none, zone: none };
  let nameEnd = mailStart - 1;
  while (nameEnd > 0 && isSpace(line[nameEnd - 1])) nameEnd--;
  return {
    name: line.subarray(0, nameEnd),
    email: line.subarray(mailStart, mailEnd),
    ...dateBehind(line, line.lastIndexOf(greaterThan) + 1),
  };
}

function dateBehind(line: Uint8Array, from: number): Pick<Ident, 'time' | 'digits' | 'zone'> {
  const none = { time: 0, digits: line.subarray(0, 0), zone: line.subarray(0, 0) };
  let at = from;
  while (isSpace(line[at])) at++;
  const start = at;
  let time = 0;
  for (; isDigit(line[at]); at++) time = time * 10 + ((line[at] as number) - 48);
  if (at === start) return none;
  const digits = line.subarray(start, at);
  while (isSpace(line[at])) at++;
  if ((line[at] !== plus && line[at] !== minus) || !isDigit(line[at + 1])) return none;
  let end = at + 1;
  while (isDigit(line[end])) end++;
  return { time, digits, zone: line.subarray(at, end) };
}

/** Matches Git's `isspace`, without vertical tab and form feed. */
function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10 || byte === 13;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}
