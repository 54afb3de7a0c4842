import { CustomErrorsError } from './custom-errors-error.ts';

/** Throws an error that names a subject and a member. */
export type Refuse = (member: string, rule: string) => never;

/** Makes the {@link Refuse} of one rule, page or asset. */
export const refuseIn =
  (subject: string): Refuse =>
  (member, rule) => {
    throw new CustomErrorsError(subject, member, rule);
  };

/** Returns the members of an object, and refuses unknown ones (ERR-108). `undefined` counts as absent. */
export const membersOf = (
  value: unknown,
  path: string,
  known: readonly string[],
  refuse: Refuse,
): ReadonlyMap<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(path, 'must be an object');
  const members = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    if (!known.includes(name)) refuse(within(path, name.slice(0, 100)), `is unknown; known are ${known.join(', ')}`);
    if (member !== undefined) members.set(name, member);
  }
  return members;
};

/** Joins the path of a member, such as `when.codes`. */
export const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const encoder = new TextEncoder();

/** Reads a text of at most `bytes` bytes of UTF-8. */
export const textUpTo = (value: unknown, member: string, bytes: number, refuse: Refuse): string => {
  if (typeof value !== 'string') return refuse(member, 'must be text');
  // Every UTF-16 unit takes at least one byte.
  const fits = value.length <= bytes && (value.length * 3 <= bytes || encoder.encode(value).length <= bytes);
  return fits ? value : refuse(member, `must have at most ${bytes} bytes of UTF-8`);
};

/** Reads an integer in a range. */
export const integerIn = (value: unknown, member: string, from: number, to: number, refuse: Refuse): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to
    ? value
    : refuse(member, `must be a whole number from ${from} to ${to}`);

/** Reads one of several words. */
export const oneOf = <T extends string>(value: unknown, member: string, words: readonly T[], refuse: Refuse): T =>
  words.find((word) => word === value) ?? refuse(member, `must be one of ${words.join(', ')}`);

/** Reads a boolean. */
export const booleanOf = (value: unknown, member: string, refuse: Refuse): boolean =>
  typeof value === 'boolean' ? value : refuse(member, 'must be true or false');

/** Reads a list with at least one item. An empty list would match nothing, which is surely a mistake. */
export const listOf = <T>(
  value: unknown,
  member: string,
  item: (value: unknown, member: string) => T,
  refuse: Refuse,
): readonly T[] => {
  if (!Array.isArray(value)) return refuse(member, 'must be a list');
  if (value.length === 0) refuse(member, 'must have an item; leave it out to match everything');
  return value.map((one, index) => item(one, `${member}[${index}]`));
};

/** Tests if a value is a token (RFC 9110 §5.6.2), such as the name of a header or method. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(value);

/** Tests if a text is valid as the id of a rule or the name of an asset (ERR-157). */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{1,200}$/.test(value);
