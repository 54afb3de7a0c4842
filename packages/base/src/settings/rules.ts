import { SettingsError } from './settings-error.ts';

/** So many requests in so many seconds. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

/** What a setting may be, as data, so that a schema of a configuration file can be made of it. */
export interface SettingRule {
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Undefined: it follows from other settings. */
  readonly default: unknown;
  /** No message may show a value. */
  readonly isSecret?: true;
  /** What is wrong with a value, as the end of a sentence that begins with the name; undefined if nothing is. */
  readonly check: (value: unknown) => string | undefined;
}

const mebi = 1_048_576;

/** Settings of every HTTP face. */
export interface FaceSettings {
  /** What documentation addresses begin with. */
  readonly docs_base: string;
  /** Three upper-case letters at the end of a request id (REPO-007). */
  readonly site: string;
  /** LIM-009. */
  readonly rest_body_max: number;
}

/** The settings that the HTTP face of each area has. */
export const faceRules: Readonly<Record<keyof FaceSettings, SettingRule>> = {
  docs_base: matching(undefined, /^https?:\/\/[^\s"<>]+[^\s"<>/]$/, 'must be a URL without a final /'),
  site: matching('LOC', /^[A-Z]{3}$/, 'must be three upper-case letters (REPO-007)'),
  rest_body_max: integer(mebi, 1, 64 * mebi),
};

/**
 * Fills in defaults and checks each setting, in the order of the rules. Other members of `given` are ignored.
 *
 * @throws {SettingsError} naming the setting and the rule it breaks.
 */
export function resolveByRules<Values>(
  rules: Readonly<Record<keyof Values & string, SettingRule>>,
  given: Partial<Values>,
): Values {
  const filled = Object.entries<SettingRule>(rules).map(([name, rule]) => {
    const chosen = given[name as keyof Values];
    const value = chosen === undefined ? rule.default : chosen;
    const broken = value === undefined ? undefined : rule.check(value);
    if (broken !== undefined) throw new SettingsError(name, broken);
    return [name, value];
  });
  return Object.fromEntries(filled) as Values;
}

/** A setting that is an integer. */
export function integer(value: number, minimum: number, maximum: number): SettingRule {
  return {
    schema: { type: 'integer', minimum, maximum },
    default: value,
    check: (given) =>
      isWithin(given, minimum, maximum) ? undefined : `must be an integer from ${minimum} to ${maximum}`,
  };
}

/** A setting that is true or false. */
export function boolean(value: boolean | undefined): SettingRule {
  return {
    schema: { type: 'boolean' },
    default: value,
    check: (given) => (typeof given === 'boolean' ? undefined : 'must be true or false'),
  };
}

/** A setting that is a text, and not empty. */
export function text(value: string | undefined): SettingRule {
  return {
    schema: { type: 'string' },
    default: value,
    check: (given) => (typeof given === 'string' && given !== '' ? undefined : 'must be a text'),
  };
}

/** A setting that is a text of one form. `broken` ends the sentence about any other. */
export function matching(value: string | undefined, pattern: RegExp, broken: string): SettingRule {
  return {
    schema: { type: 'string', pattern: pattern.source },
    default: value,
    check: (given) => (typeof given === 'string' && pattern.test(given) ? undefined : broken),
  };
}

/** A setting that is a rate. */
export function rate(requests: number, seconds: number): SettingRule {
  const [requestsMax, secondsMax] = [1_000_000_000, 86_400];
  return {
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

/** Whether a value is an integer between two, both included. */
export function isWithin(value: unknown, minimum: number, maximum: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}

/** Whether a value is an object, and neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list of texts. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
