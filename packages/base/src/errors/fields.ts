import { fieldError, fieldErrors, type FieldError } from './errors.ts';

/** Members of a JSON body or parameters of a query, before anything is known about them. */
export type RawFields = Readonly<Record<string, unknown>>;

/**
 * Reads fields one by one in the order the specification lists them, collects every bad one, and fails once at the
 * end, so that the first bad field of the order is the first error (REPO-036, REPO-037). Texts are those of REPO-048.
 * What a reader returns for a bad field is of no use: {@link Fields.check} must be passed before anything is used.
 */
export class Fields {
  readonly #raw: RawFields;
  readonly #errors: FieldError[];

  /** `errors`: what earlier fields of the same request have already failed with. */
  constructor(raw: RawFields, errors: FieldError[] = []) {
    this.#raw = raw;
    this.#errors = errors;
  }

  /** The value as it came; `null` counts as absent (REPO-042). */
  value(field: string): unknown {
    return Object.hasOwn(this.#raw, field) ? (this.#raw[field] ?? undefined) : undefined;
  }

  /** Marks the place of a field in the order whose fault is known only after later fields were read. */
  later(field: string): (message: string) => void {
    const position = this.#errors.length;
    return (message) => this.#errors.splice(position, 0, fieldError('invalidInput', field, message));
  }

  /** Without a message, that of the kind. */
  fail(field: string, message: string | undefined, kind: FieldError['kind'] = 'invalidInput'): void {
    this.#errors.push(fieldError(kind, field, message));
  }

  string(field: string): string {
    const value = this.value(field);
    if (typeof value === 'string') return value;
    this.#wrongType(field, 'string');
    return '';
  }

  /** `max` in characters. */
  optionalString(field: string, max: number = Number.POSITIVE_INFINITY): string | undefined {
    if (this.value(field) === undefined) return undefined;
    const value = this.string(field);
    if (countCharacters(value) > max) this.fail(field, `Too big: expected string to have <=${max} characters`);
    return value;
  }

  boolean(field: string, absent: boolean): boolean {
    const value = this.value(field);
    if (value === undefined) return absent;
    if (typeof value !== 'boolean') this.#wrongType(field, 'boolean');
    return value === true;
  }

  option<T extends string>(field: string, options: readonly T[], absent: T): T {
    const value = this.value(field);
    if (value === undefined) return absent;
    const found = options.find((option) => option === value);
    if (found === undefined) {
      this.fail(field, `Invalid option: expected one of ${options.map((option) => `"${option}"`).join('|')}`);
    }
    return found ?? absent;
  }

  /** An integer, as a number or written in a query. */
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

  /** How many fields were bad up to now. */
  get errorCount(): number {
    return this.#errors.length;
  }

  /** @throws {HostingError} if any field was bad. */
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

/** Unicode code points, without making a list of them. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += (text.codePointAt(i) as number) > 0xffff ? 2 : 1) count += 1;
  return count;
}
