/** The part of JSON Schema that the schema of reports uses. An unknown keyword is an error, so that none is ignored. */
export type Schema = Readonly<Record<string, unknown>>;

/** Returns what is wrong with a value, each with its path; empty if it is valid. */
export function schemaFaults(schema: Schema, value: unknown, root: Schema = schema, path: string = '$'): string[] {
  const faults: string[] = [];
  const fault = (text: string): void => void faults.push(`${path}: ${text}`);
  for (const [keyword, rule] of Object.entries(schema)) {
    const check = keywords[keyword];
    if (check === undefined) throw new Error(`unknown keyword ${keyword}`);
    check(rule, value, {
      fault,
      deeper: (part, to, name) => faults.push(...schemaFaults(part, to, root, `${path}${name}`)),
      root,
    });
  }
  return faults;
}

interface Checking {
  readonly fault: (text: string) => void;
  readonly deeper: (schema: Schema, value: unknown, name: string) => void;
  readonly root: Schema;
}

const ignored = (): void => undefined;

const keywords: Readonly<Record<string, (rule: unknown, value: unknown, checking: Checking) => void>> = {
  $schema: ignored,
  $defs: ignored,
  title: ignored,
  description: ignored,
  $ref(rule, value, { deeper, root }) {
    const name = /^#\/\$defs\/(\w+)$/.exec(rule as string)?.[1] ?? '';
    deeper((root['$defs'] as Record<string, Schema>)[name] as Schema, value, '');
  },
  type(rule, value, { fault }) {
    if (![rule].flat().includes(typeOf(value)) && !(rule === 'number' && typeOf(value) === 'integer')) {
      fault(`is ${typeOf(value)}, not ${String(rule)}`);
    }
  },
  const(rule, value, { fault }) {
    if (value !== rule) fault(`is not ${String(rule)}`);
  },
  enum(rule, value, { fault }) {
    if (!(rule as unknown[]).includes(value)) fault(`is none of ${String(rule)}`);
  },
  pattern(rule, value, { fault }) {
    if (typeof value === 'string' && !new RegExp(rule as string, 'u').test(value)) fault(`"${value}" has another form`);
  },
  minimum(rule, value, { fault }) {
    if (typeof value === 'number' && value < (rule as number)) fault(`is below ${String(rule)}`);
  },
  minItems(rule, value, { fault }) {
    if (Array.isArray(value) && value.length < (rule as number)) fault('has too few items');
  },
  items(rule, value, { deeper }) {
    if (Array.isArray(value)) value.forEach((item, index) => deeper(rule as Schema, item, `[${index}]`));
  },
  required(rule, value, { fault }) {
    if (typeOf(value) !== 'object') return;
    for (const name of rule as string[]) if (!Object.hasOwn(value as object, name)) fault(`has no ${name}`);
  },
  properties(rule, value, { fault, deeper }) {
    if (typeOf(value) !== 'object') return;
    const known = rule as Readonly<Record<string, Schema>>;
    for (const [name, member] of Object.entries(value as object)) {
      const schema = known[name];
      // Stricter than JSON Schema: the schema must describe everything that the runner writes.
      if (schema === undefined) fault(`has ${name}, of which the schema says nothing`);
      else deeper(schema, member, `.${name}`);
    }
  },
};

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
