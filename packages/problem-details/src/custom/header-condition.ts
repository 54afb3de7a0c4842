import { booleanOf, isToken, membersOf, oneOf, type Refuse } from './check.ts';

/** Separator of several values of one name in `Headers`. */
const joint = ', ';

/**
 * Comparisons of header values (ERR-102). `Headers` join the lines of one name, so that every separator may be the
 * border of two lines. A condition matches if it matches for one way to split the text.
 */
const comparisons = {
  contains: (lines: string, value: string): boolean => lines.includes(value),
  equals: (lines: string, value: string): boolean => (joint + lines + joint).includes(joint + value + joint),
  starts_with: (lines: string, value: string): boolean => (joint + lines).includes(joint + value),
};

const operators = ['contains', 'equals', 'starts_with', 'exists', 'absent'] as const;

/** Checks an item of `headers` and compiles it to a predicate (ERR-102, ERR-108). */
export const readHeaderCondition = (
  condition: unknown,
  path: string,
  refuse: Refuse,
): ((headers: Headers) => boolean) => {
  const members = membersOf(condition, path, ['name', 'op', 'value', 'ignore_case'], refuse);
  const name = members.get('name');
  if (!isToken(name)) return refuse(`${path}.name`, 'must be the name of a header');
  const op = oneOf(members.get('op'), `${path}.op`, operators, refuse);
  if (op === 'exists' || op === 'absent') {
    for (const other of ['value', 'ignore_case']) {
      if (members.has(other)) refuse(`${path}.${other}`, `means nothing with the op ${op}`);
    }
    return (headers) => headers.has(name) === (op === 'exists');
  }
  const value = members.get('value');
  if (typeof value !== 'string') return refuse(`${path}.value`, 'must be text');
  const ignoreCase = members.has('ignore_case') && booleanOf(members.get('ignore_case'), `${path}.ignore_case`, refuse);
  const compare = comparisons[op];
  const wanted = ignoreCase ? value.toLowerCase() : value;
  return (headers) => {
    const lines = headers.get(name);
    return lines !== null && compare(ignoreCase ? lines.toLowerCase() : lines, wanted);
  };
};
