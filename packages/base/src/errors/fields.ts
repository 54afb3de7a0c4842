import { fieldError, fieldErrors, type FieldError } from './errors.ts';

/** Members of a JSON body or parameters of a query, before validation. */
export type RawFields = Readonly<Record<string, unknown>>;

/**
 * Reads fields one by one in the order of the specification and collects every invalid one. {@link Fields.check} then
 * fails once, so that the first invalid field of that order is the first error (REPO-036, REPO-037). Messages are those
 * of REPO-048. A reader returns an unusable value for an invalid field, so call `check` before using any.
 */
export class Fields {
  readonly #raw: RawFields;
  readonly #errors: FieldError[];
  readonly #prefix: string;

  /**
   * @param errors faults of fields that the caller already checked.
   * @param prefix of pointers, for members of an item of a list. Default: empty.
   */
  constructor(raw: RawFields, errors: FieldError[] = [], prefix = '') {
    this.#raw = raw;
    this.#errors = errors;
    this.#prefix = prefix;
  }

  /**
   * Reads the items of a list of objects, each as fields whose faults are collected here. A pointer to a member of the
   * first item is `/updates/0/name`.
   *
   * @param max maximum number of items.
   */
  items(field: string, max: number): readonly Fields[] {
    const value = this.value(field);
    if (!Array.isArray(value)) {
      this.#wrongType(field, 'array');
      return [];
    }
    if (value.length > max) {
      this.fail(field, `Too big: expected array to have <=${max} items`);
      return [];
    }
    return value.map((item: unknown, index) => Fields.ofItem(item, `${this.#prefix}${field}/${index}`, this.#errors));
  }

  /** Reads one item of a list as fields whose faults go to `errors`. `path` is that of its pointer, `updates/0`. */
  static ofItem(item: unknown, path: string, errors: FieldError[]): Fields {
    const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
    if (!isObject) errors.push(fieldError('invalidInput', path, 'Invalid input: expected object'));
    return new Fields(isObject ? (item as RawFields) : {}, errors, `${path}/`);
  }

  /** Reads a member that is an object as fields whose faults are collected here; undefined if it is absent or wrong. */
  object(field: string, isRequired: boolean): Fields | undefined {
    const value = this.value(field);
    if (typeof value === 'object' && !Array.isArray(value)) {
      return new Fields(value as RawFields, this.#errors, `${this.#prefix}${field}/`);
    }
    if (value !== undefined || isRequired) this.#wrongType(field, 'object');
    return undefined;
  }

  /** Tells if the member is there, even as `null`. */
  has(field: string): boolean {
    return Object.hasOwn(this.#raw, field) && this.#raw[field] !== undefined;
  }

  /** Returns the value as received; `null` counts as absent (REPO-042). */
  value(field: string): unknown {
    return Object.hasOwn(this.#raw, field) ? (this.#raw[field] ?? undefined) : undefined;
  }

  /**
   * Reserves the position of a field whose fault is known only after later fields. The result records the fault there.
   */
  later(field: string): (message: string) => void {
    const position = this.#errors.length;
    return (message) =>
      this.#errors.splice(position, 0, fieldError('invalidInput', `${this.#prefix}${field}`, message));
  }

  /** Records a fault. `message` defaults to the text of the kind. */
  fail(field: string, message: string | undefined, kind: FieldError['kind'] = 'invalidInput'): void {
    this.#errors.push(fieldError(kind, `${this.#prefix}${field}`, message));
  }

  string(field: string): string {
    const value = this.value(field);
    if (typeof value === 'string') return value;
    this.#wrongType(field, 'string');
    return '';
  }

  /** @param max length in characters. */
  optionalString(field: string, max: number = Number.POSITIVE_INFINITY): string | undefined {
    if (this.value(field) === undefined) return undefined;
    const value = this.string(field);
    if (countCharacters(value) > max) this.fail(field, `Too big: expected string to have <=${max} characters`);
    return value;
  }

  /** Reads a list of texts, which is not optional. `min` and `max` bound its length. */
  strings(field: string, { min, max }: { readonly min: number; readonly max: number }): readonly string[] {
    const value = this.value(field);
    if (!Array.isArray(value)) {
      this.#wrongType(field, 'array');
      return [];
    }
    const other = value.find((item) => typeof item !== 'string');
    if (value.length < min) this.fail(field, `Too small: expected array to have >=${min} items`);
    else if (value.length > max) this.fail(field, `Too big: expected array to have <=${max} items`);
    else if (other !== undefined) this.fail(field, `Invalid input: expected string, received ${typeof other}`);
    return value as readonly string[];
  }

  boolean(field: string, absent: boolean): boolean {
    const value = this.value(field);
    if (value === undefined) return absent;
    if (typeof value !== 'boolean') this.#wrongType(field, 'boolean');
    return value === true;
  }

  /** Reads a boolean, given as such or as its name in a query. */
  flag(field: string): boolean {
    const value = this.value(field);
    return value === true || (value !== false && this.option(field, ['true', 'false'], 'false') === 'true');
  }

  option<T extends string, A extends T | undefined>(field: string, options: readonly T[], absent: A): T | A {
    const value = this.value(field);
    if (value === undefined) return absent;
    const found = options.find((option) => option === value);
    if (found === undefined) {
      this.fail(field, `Invalid option: expected one of ${options.map((option) => `"${option}"`).join('|')}`);
    }
    return found ?? absent;
  }

  /** Reads an integer, given as a number or as digits in a query. */
  integer<A extends number | undefined>(
    field: string,
    range: { readonly min: number; readonly max?: number },
    absent: A,
  ): number | A {
    const value = this.value(field);
    if (value === undefined) return absent;
    const { min, max = Number.MAX_SAFE_INTEGER } = range;
    const written = typeof value === 'string' && /^[+-]?\d+$/.test(value);
    const number = written || typeof value === 'number' ? Number(value) : Number.NaN;
    if (Number.isNaN(number) || (!written && !Number.isInteger(number)))
      this.fail(field, 'Invalid input: expected number, received NaN');
    else if (number < min) this.fail(field, `Too small: expected number to be >=${min}`);
    else if (number > max) this.fail(field, `Too big: expected number to be <=${max}`);
    return number;
  }

  /** The number of faults so far. */
  get errorCount(): number {
    return this.#errors.length;
  }

  /** @throws {HostingError} if any field was invalid. */
  check(): void {
    const [first, ...others] = this.#errors;
    if (first !== undefined) throw fieldErrors([first, ...others]);
  }

  #wrongType(field: string, expected: string): void {
    const value = Object.hasOwn(this.#raw, field) ? this.#raw[field] : undefined;
    const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    this.fail(field, `Invalid input: expected ${expected}, received ${received}`);
  }
}

/** Counts Unicode code points without allocating a list of them. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += (text.codePointAt(i) as number) > 0xffff ? 2 : 1) count += 1;
  return count;
}
