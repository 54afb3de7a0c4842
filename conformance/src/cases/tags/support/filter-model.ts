/** A filter as section 10 of the specification defines it. */
export interface Filter {
  readonly key: string;
  readonly test: 'has' | 'lacks' | 'one of' | 'none of';
  /** Empty for `has` and `lacks`. */
  readonly values: readonly string[];
}

/** The error code of a refused filter. */
export type FilterFault = 1007 | 1011 | 1013 | 1014 | 1012;

export type Tags = Readonly<Record<string, string>>;

/**
 * Parses one filter from the text on the wire, by TAG-081 to TAG-091 and the order of TAG-152. It goes step by step,
 * and shares no code with the implementation.
 */
export function readFilter(wire: string): Filter | FilterFault {
  const operator = /=|%3D/i.exec(wire);
  if (operator === null) return withoutOperator(wire);
  const before = wire.slice(0, operator.index);
  const bang = /(?:!|%21)$/.exec(before);
  const key = decoded(bang === null ? before : before.slice(0, bang.index));
  const rest = wire.slice(operator.index + operator[0].length);
  const values = operator[0] === '=' ? rest.split(',').map((item) => decoded(item)) : decoded(rest)?.split(',');
  if (key === undefined || values === undefined) return 1007;
  const read = values.filter((value) => value !== undefined);
  if (read.length < values.length) return 1007;
  if (key === '' || key.startsWith('!')) return 1007;
  if (read.length > 1 && read.includes('')) return 1007;
  const fault = keyFault(key);
  if (fault !== undefined) return fault;
  if (read.length > 10) return 1013;
  if (read.some((value) => [...value].length > 1024)) return 1012;
  return { key, test: bang === null ? 'one of' : 'none of', values: read };
}

function withoutOperator(wire: string): Filter | FilterFault {
  const text = decoded(wire);
  if (text === undefined) return 1007;
  const lacks = text.startsWith('!');
  const key = lacks ? text.slice(1) : text;
  if (key === '') return 1007;
  return keyFault(key) ?? { key, test: lacks ? 'lacks' : 'has', values: [] };
}

/** Checks a non-empty key by TAG-131 and TAG-132. */
function keyFault(key: string): 1011 | 1014 | undefined {
  if ([...key].length > 256) return 1011;
  return [...key].every((character) => /^(?:\p{L}|\p{Nd}|[_.-])$/u.test(character)) ? undefined : 1014;
}

/** Decodes a text by TAG-085; undefined if it cannot be decoded, or contains U+0000. */
function decoded(wire: string): string | undefined {
  try {
    const text = decodeURIComponent(wire.replaceAll('+', ' '));
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** TAG-071: maps each code point to upper case, then the result to lower case, without locale and context. */
export function foldCase(text: string): string {
  return Array.from(text, (character) => Array.from(character.toUpperCase(), (one) => one.toLowerCase()).join('')).join(
    '',
  );
}

/** TAG-086, TAG-070: returns true if tags match a filter. */
export function isMatch(filter: Filter, tags: Tags, ignoreCase: boolean): boolean {
  const form = (text: string): string => (ignoreCase ? foldCase(text) : text);
  const values = filter.values.map(form);
  const found = Object.entries(tags).filter(([key]) => form(key) === form(filter.key));
  const isOne = found.some(([, value]) => values.includes(form(value)));
  switch (filter.test) {
    case 'has':
      return found.length > 0;
    case 'lacks':
      return found.length === 0;
    case 'one of':
      return isOne;
    case 'none of':
      return !isOne;
  }
}
