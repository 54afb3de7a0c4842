import { SettingsError } from './settings-error.ts';

/** A number of requests per number of seconds. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

/** One setting as data: type, check, documentation, and schema in a configuration file. */
export interface SettingRule<Value = unknown> {
  /** One or two sentences on the setting, with its unit and clause. */
  readonly text: string;
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Undefined if it depends on other settings. */
  readonly default: Value | undefined;
  /** Set if messages must not show the value. */
  readonly isSecret?: true;
  /** Returns what is wrong with a value, as the end of a sentence that begins with the setting's name, or undefined. */
  readonly check: (value: unknown) => string | undefined;
}

const mebi = 1_048_576;

/** The values of a table of settings. */
export type ValuesOf<Table extends Readonly<Record<string, SettingRule>>> = {
  readonly [Name in keyof Table]: Table[Name] extends SettingRule<infer Value> ? Value : never;
};

/** Rules of the settings that every HTTP area has. */
export const faceRules = {
  docs_base: matching(
    'URL that documentation links in errors begin with, without a final slash. Default: /docs of public_url, where the server explains its errors (REPO-016, REPO-213).',
    undefined,
    /^https?:\/\/[^\s"<>]+[^\s"<>/]$/,
    'must be a URL without a final /',
  ),
  site: matching(
    'Three upper-case letters at the end of every request id (REPO-007).',
    'LOC',
    /^[A-Z]{3}$/,
    'must be three upper-case letters (REPO-007)',
  ),
  rest_body_max: integer('Largest body of a REST request, in bytes (LIM-009).', mebi, 1, 64 * mebi),
} satisfies Record<string, SettingRule>;

/** Settings of every HTTP area. */
export interface FaceSettings extends ValuesOf<typeof faceRules> {}

/**
 * Fills in defaults and checks each setting, in the order of the rules. Ignores other members of `given`.
 *
 * @throws {SettingsError} naming the setting and the violated rule.
 */
export function resolveByRules<Table extends Readonly<Record<string, SettingRule>>>(
  rules: Table,
  given: { readonly [Name in keyof Table]?: ValuesOf<Table>[Name] | undefined },
): ValuesOf<Table> {
  const filled = Object.entries<SettingRule>(rules).map(([name, rule]) => {
    const chosen = given[name];
    const value = chosen === undefined ? rule.default : chosen;
    const broken = value === undefined ? undefined : rule.check(value);
    if (broken !== undefined) throw new SettingsError(name, broken);
    return [name, value];
  });
  return Object.fromEntries(filled) as ValuesOf<Table>;
}

/** Makes the rule of a setting of any other type. */
export function setting<Value>(rule: SettingRule<Value>): SettingRule<Value> {
  return rule;
}

/** Makes the rule of an integer setting. */
export function integer(text: string, value: number, minimum: number, maximum: number): SettingRule<number> {
  return {
    text,
    schema: { type: 'integer', minimum, maximum },
    default: value,
    check: (given) =>
      isWithin(given, minimum, maximum) ? undefined : `must be an integer from ${minimum} to ${maximum}`,
  };
}

/** Makes the rule of a boolean setting. */
export function boolean(text: string, value: boolean | undefined): SettingRule<boolean> {
  return {
    text,
    schema: { type: 'boolean' },
    default: value,
    check: (given) => (typeof given === 'boolean' ? undefined : 'must be true or false'),
  };
}

/** Makes the rule of a non-empty string. */
export function string(text: string, value: string | undefined): SettingRule<string> {
  return {
    text,
    schema: { type: 'string' },
    default: value,
    check: (given) => (typeof given === 'string' && given !== '' ? undefined : 'must be a text'),
  };
}

/** Makes the rule of a string that matches a pattern. `broken` completes the message for any other string. */
export function matching(
  text: string,
  value: string | undefined,
  pattern: RegExp,
  broken: string,
): SettingRule<string> {
  return {
    text,
    schema: { type: 'string', pattern: pattern.source },
    default: value,
    check: (given) => (typeof given === 'string' && pattern.test(given) ? undefined : broken),
  };
}

/** Makes the rule of a rate. */
export function rate(text: string, requests: number, seconds: number): SettingRule<Rate> {
  const [requestsMax, secondsMax] = [1_000_000_000, 86_400];
  return {
    text,
    schema: {
      type: 'object',
      properties: {
        requests: { type: 'integer', minimum: 1, maximum: requestsMax },
        seconds: { type: 'integer', minimum: 1, maximum: secondsMax },
      },
      required: ['requests', 'seconds'],
      additionalProperties: false,
    },
    default: { requests, seconds },
    check: (given) => {
      const { requests: many, seconds: long, ...others } = Object(given) as Record<string, unknown>;
      const fits = isWithin(many, 1, requestsMax) && isWithin(long, 1, secondsMax);
      return fits && Object.keys(others).length === 0
        ? undefined
        : `must have the members requests and seconds, integers from 1 to ${requestsMax} and from 1 to ${secondsMax}`;
    },
  };
}

/** Tests if a value is an integer in the range, bounds included. */
export function isWithin(value: unknown, minimum: number, maximum: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}

/** Tests if a value is an object, neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tests if a value is a list of texts. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
