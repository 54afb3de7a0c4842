/**
 * Placeholders in recorded exchanges: `{{kind}}` stands for any text of that kind, `{{kind name}}` for the same text
 * wherever that name is.
 */

/** Values by the whole content of their placeholder, such as `id 1`. */
export type Values = Map<string, string>;

/** Forms by kind. `text` is for words that a service may choose. */
const forms: Readonly<Record<string, string>> = {
  account: String.raw`[\w-]+`,
  cursor: String.raw`[\w.~-]+`,
  docs: String.raw`https?://[^ ]+?`,
  id: '[0-9a-z]{16}',
  name: String.raw`[\w.-]+`,
  number: String.raw`\d+`,
  ray: '[!-~]+',
  remote: String.raw`https?://[^ ]+`,
  text: '[^]*?',
  time: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z`,
  token: String.raw`\w+_[0-9a-f]{40}\?expires=\d+`,
};

const placeholder = /\{\{(\w+)( [\w ]+)?\}\}/g;

/** Puts values in place of the placeholders of a request. */
export function filled(text: string, values: Values): string {
  return text.replace(placeholder, (all, kind: string, name = '') => values.get(`${kind}${name}`) ?? all);
}

/** Returns true if the text matches. Remembers the values of placeholders with a name. */
function fits(expected: string, seen: string, values: Values): boolean {
  const names: string[] = [];
  let pattern = '';
  let from = 0;
  for (const match of expected.matchAll(placeholder)) {
    const [all, kind = '', name] = match;
    const key = `${kind}${name ?? ''}`;
    const known = values.get(key);
    pattern += escaped(expected.slice(from, match.index));
    pattern += known === undefined ? `(${forms[kind] ?? escaped(all)})` : `(${escaped(known)})`;
    names.push(name === undefined ? '' : key);
    from = match.index + all.length;
  }
  const found = new RegExp(`^${pattern}${escaped(expected.slice(from))}$`).exec(seen);
  for (const [at, key] of names.entries()) if (found !== null && key !== '') values.set(key, found[at + 1] ?? '');
  return found !== null;
}

/** Returns the seen value with each part that fits replaced by the expected one, so that a comparison shows the rest. */
export function masked(seen: unknown, expected: unknown, values: Values): unknown {
  if (typeof expected === 'string' && (typeof seen === 'string' || typeof seen === 'number'))
    return fits(expected, String(seen), values) ? expected : seen;
  if (Array.isArray(expected) && Array.isArray(seen)) return seen.map((one, at) => masked(one, expected[at], values));
  if (isObject(expected) && isObject(seen))
    return Object.fromEntries(Object.entries(seen).map(([name, one]) => [name, masked(one, expected[name], values)]));
  return seen;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
