import type { SettingRule } from './rules.ts';

/** Type of a value in the configuration file. The check and the published schema share it. */
export type ValueType =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  /**
   * `form` is a regular expression for the whole text, and `says` describes it in words. Messages never show a
   * `secret`.
   */
  | { readonly kind: 'string'; readonly form: string; readonly says: string; readonly secret?: boolean }
  /** A setting that the service checks itself. */
  | { readonly kind: 'rule'; readonly rule: SettingRule }
  | { readonly kind: 'one of'; readonly values: readonly string[]; readonly says?: string }
  | { readonly kind: 'list'; readonly of: ValueType; readonly min?: number; readonly says?: string }
  | {
      readonly kind: 'object';
      readonly members: Readonly<Record<string, Member>>;
      /** Groups of members; exactly one member of each group is required. */
      readonly exactlyOne?: readonly (readonly string[])[];
      readonly narrowed?: Narrowing;
    };

/** If an object has the member `where`, the other member must have a narrower type. */
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
  /** Default in the schema. */
  readonly default?: unknown;
  readonly required?: boolean;
}

/** Describes the expected value in words. */
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
