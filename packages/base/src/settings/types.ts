import type { SettingRule } from './rules.ts';

/** What a value of the configuration file may be. One description serves the check and the published schema. */
export type ValueType =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  /** `form` is a regular expression over the whole text, `says` puts it into words; messages never show a `secret`. */
  | { readonly kind: 'string'; readonly form: string; readonly says: string; readonly secret?: boolean }
  /** A setting that the service checks itself. */
  | { readonly kind: 'rule'; readonly rule: SettingRule }
  | { readonly kind: 'one of'; readonly values: readonly string[]; readonly says?: string }
  | { readonly kind: 'list'; readonly of: ValueType; readonly min?: number; readonly says?: string }
  | {
      readonly kind: 'object';
      readonly members: Readonly<Record<string, Member>>;
      /** Groups of members, of each of which exactly one must be there. */
      readonly exactlyOne?: readonly (readonly string[])[];
      readonly narrowed?: Narrowing;
    };

/** Where an object has one member, another must be of a narrower type than it is by itself. */
export interface Narrowing {
  readonly where: string;
  readonly member: string;
  readonly type: ValueType;
}

/** One member of an object of the configuration file. */
export interface Member {
  readonly type: ValueType;
  /** A sentence or two for the schema. */
  readonly description?: string;
  /** Default, as the schema shows it. */
  readonly default?: unknown;
  readonly required?: boolean;
}

/** What a value should have been, in words. */
export function expectation(type: ValueType): string {
  switch (type.kind) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number from ${type.min} to ${type.max}`;
    case 'string':
      return type.says;
    case 'rule':
      return 'a setting';
    case 'one of':
      return type.says ?? `one of ${type.values.map((value) => `"${value}"`).join(', ')}`;
    case 'list':
      return type.says ?? `a list, each item ${expectation(type.of)}`;
    case 'object':
      return `an object with the members ${Object.keys(type.members).join(', ')}`;
  }
}
