import { isRecord, type SettingRule } from './rules.ts';
import { nearest } from './nearest.ts';
import { expectation, type Member, type ValueType } from './types.ts';

/** A fault in one value, as a sentence that begins with its path. */
export type Problem = string;

/** Returns all faults of a value in the order of the document; empty if it is valid. */
export function problemsOf(type: ValueType, value: unknown, path = ''): readonly Problem[] {
  const wrong = (): Problem[] => [
    `${path === '' ? 'the document' : path}: expected ${expectation(type)}, found ${mayBeSecret(type) && typeof value === 'string' ? 'another text' : shown(value)}`,
  ];
  switch (type.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong();
    case 'integer':
      return Number.isSafeInteger(value) && (value as number) >= type.min && (value as number) <= type.max
        ? []
        : wrong();
    case 'string':
      return typeof value === 'string' && new RegExp(`^(?:${type.form})$`, 'u').test(value) ? [] : wrong();
    case 'rule': {
      const broken = type.rule.check(value);
      if (broken !== undefined && type.rule.isSecret === true) return [`${path}: ${broken}`];
      return broken === undefined ? [] : [`${path}: ${broken}, found ${wrongItem(type.rule, value) ?? shown(value)}`];
    }
    case 'one of':
      return typeof value === 'string' && type.values.includes(value) ? [] : wrong();
    case 'list':
      if (!Array.isArray(value) || value.length < (type.min ?? 0)) return wrong();
      return value.flatMap((item, index) => problemsOf(type.of, item, `${path}[${index}]`));
    case 'object':
      return isRecord(value) ? problemsOfObject(type, value, path) : wrong();
  }
}

function problemsOfObject(
  type: Extract<ValueType, { kind: 'object' }>,
  value: Readonly<Record<string, unknown>>,
  path: string,
): readonly Problem[] {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const problems: Problem[] = [];
  for (const [name, item] of Object.entries(value)) {
    const member: Member | undefined = Object.hasOwn(type.members, name) ? type.members[name] : undefined;
    if (member !== undefined) problems.push(...problemsOf(member.type, item, at(name)));
    // `$schema` is the schema for editors.
    else if (path !== '' || name !== '$schema') problems.push(unknownMember(at(name), name, Object.keys(type.members)));
  }
  for (const [name, member] of Object.entries(type.members)) {
    if (member.required === true && !Object.hasOwn(value, name)) {
      problems.push(`${at(name)}: is missing; expected ${expectation(member.type)}`);
    }
  }
  for (const group of type.exactlyOne ?? []) {
    if (group.filter((name) => Object.hasOwn(value, name)).length === 1) continue;
    problems.push(`${path}: expected exactly one of the members ${group.join(', ')}`);
  }
  const { narrowed } = type;
  // Reports one problem at a time: a value that is invalid by itself was reported already.
  if (problems.length === 0 && narrowed !== undefined && Object.hasOwn(value, narrowed.where)) {
    problems.push(...problemsOf(narrowed.type, value[narrowed.member], at(narrowed.member)));
  }
  return problems;
}

function unknownMember(path: string, name: string, known: readonly string[]): Problem {
  const close = nearest(name, known);
  // All names are a hundred for a configuration: too many to read beside the likely one.
  return `${path}: unknown member (${close === undefined ? `allowed: ${known.join(', ')}` : `did you mean "${close}"?`})`;
}

/** A user may write a token in place of a list or an object of tokens. */
function mayBeSecret(type: ValueType): boolean {
  return type.kind === 'list' || type.kind === 'object' || (type.kind === 'string' && type.secret === true);
}

/**
 * Describes the first wrong item of a list, of a map, or of a list in an object. To find it, checks each item alone, or
 * together with the default of a list. Returns undefined if the rule accepts each item.
 */
function wrongItem(rule: SettingRule, value: unknown): string | undefined {
  if (typeof rule.schema['additionalProperties'] === 'object' && isRecord(value)) {
    const wrong = Object.entries(value).find(([name, item]) => rule.check({ [name]: item }) !== undefined);
    return wrong === undefined ? undefined : `${shown(wrong[1])} for ${shown(wrong[0])}`;
  }
  if (isRecord(value)) {
    const items = Object.entries(value).flatMap(([name, list]) =>
      Array.isArray(list) && rule.check({ [name]: [] }) === undefined
        ? list.map((item: unknown, at) => ({ name, item, at }))
        : [],
    );
    const wrong = items.find(({ name, item }) => rule.check({ [name]: [item] }) !== undefined);
    return wrong === undefined ? undefined : `${shown(wrong.item)} as item [${wrong.at}] of "${wrong.name}"`;
  }
  if (!Array.isArray(value) || !Array.isArray(rule.default)) return undefined;
  const others = rule.default as readonly unknown[];
  const at = value.findIndex((item) => rule.check([...new Set([...others, item])]) !== undefined);
  return at === -1 ? undefined : `${shown(value[at])} as item [${at}]`;
}

/** Formats a value for a message: numbers, short words and kinds, but never a text that could be a secret. */
function shown(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'string')
    return value.length <= 15 && /^[\x20-\x7e]*$/.test(value) ? JSON.stringify(value) : 'another text';
  return Array.isArray(value) ? 'a list' : 'an object';
}
