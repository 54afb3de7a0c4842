import {
  accountIdForm,
  faceRules,
  integer,
  isAccountId,
  isRecord,
  isTexts,
  isWithin,
  rate,
  resolveByRules,
  type FaceSettings,
  type Rate,
  type SettingRule,
} from '@packhouse/base';
import type { ResourceType, ResourceTypeChanges } from './resource-types.ts';

/** The settings of `tagging.md`. */
export interface TagSettings {
  /** The reply for a resource that is unknown or was never tagged (section 6 of `tagging.md`). */
  readonly tags_not_found: '500' | '404' | 'empty';
  /** Tags in all records of an account (TAG-142). */
  readonly account_tags_max: number;
  /** Tags of one resource; null for no limit (TAG-143). */
  readonly resource_tags_max: number | null;
  /** TAG-144. */
  readonly rate_tags: Rate;
  /** The account that owns each zone, by the id of the zone (TAG-018). */
  readonly zones: Readonly<Record<string, string>>;
  /** What the registry of resource types has beside its defaults, and without which of these (TAG-125). */
  readonly resource_types: ResourceTypeChanges<Omit<ResourceType, 'directory'>>;
}

/** Name of a resource type or of its parent. */
const typeForm = /^[a-z0-9_]{1,64}$/;

/** Each of them with its default. */
export const tagRules: Readonly<Record<keyof TagSettings, SettingRule>> = {
  tags_not_found: {
    schema: { enum: ['500', '404', 'empty'] },
    default: '500',
    check: (value) =>
      value === '500' || value === '404' || value === 'empty' ? undefined : 'must be "500", "404" or "empty" (TAG-055)',
  },
  account_tags_max: integer(10_000, 0, 1_000_000_000),
  resource_tags_max: {
    schema: { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 0, maximum: 1_000_000_000 }] },
    default: null,
    check: (value) =>
      value === null || isWithin(value, 0, 1_000_000_000)
        ? undefined
        : 'must be null or an integer from 0 to 1000000000 (TAG-143)',
  },
  rate_tags: rate(1200, 300),
  zones: {
    schema: {
      type: 'object',
      propertyNames: { pattern: `^${accountIdForm}$` },
      additionalProperties: { type: 'string', pattern: `^${accountIdForm}$` },
    },
    default: {},
    check: (value) =>
      isRecord(value) && Object.entries(value).every(([zone, account]) => isAccountId(zone) && isId(account))
        ? undefined
        : 'must be an object of zone ids with the account id that owns each, both 1 to 64 characters of A-Z a-z 0-9 _ - (TAG-018)',
  },
  resource_types: {
    schema: {
      type: 'object',
      properties: {
        add: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              type: { type: 'string', pattern: typeForm.source },
              level: { enum: ['account', 'zone'] },
              parent: { type: 'string', pattern: typeForm.source },
            },
            required: ['type', 'level'],
            additionalProperties: false,
          },
        },
        remove: { type: 'array', items: { type: 'string' } },
      },
      additionalProperties: false,
    },
    default: {},
    check: (value) =>
      isTypeChanges(value)
        ? undefined
        : 'must be an object with lists "add", of objects with type, level ("account" or "zone") and perhaps parent, and "remove", of types; names are 1 to 64 of a-z 0-9 _ (TAG-125)',
  },
};

/** The settings that tagging without a service around it has, and those of its HTTP face. */
export interface TaggingSettings
  extends
    Pick<TagSettings, 'tags_not_found' | 'account_tags_max' | 'resource_tags_max' | 'rate_tags'>,
    Omit<FaceSettings, 'docs_base'> {
  /** Default: error items have no `documentation_url` (TAG-024). */
  readonly docs_base: string | undefined;
}

const { tags_not_found, account_tags_max, resource_tags_max, rate_tags } = tagRules;
const rules: Readonly<Record<keyof TaggingSettings, SettingRule>> = {
  tags_not_found,
  account_tags_max,
  resource_tags_max,
  rate_tags,
  ...faceRules,
};

/**
 * Fills in defaults and checks, for tagging without the rest of the service. Other members of `given` are ignored.
 *
 * @throws {SettingsError} naming the setting and the rule it breaks.
 */
export function resolveTaggingSettings(given: Partial<TaggingSettings>): TaggingSettings {
  return resolveByRules(rules, given);
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && isAccountId(value);
}

function isTypeName(value: unknown): boolean {
  return typeof value === 'string' && typeForm.test(value);
}

function isTypeChanges(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { add = [], remove = [], ...others } = value;
  return Object.keys(others).length === 0 && isTexts(remove) && Array.isArray(add) && add.every(isAddedType);
}

function isAddedType(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { type, level, parent, ...others } = value;
  const fits = isTypeName(type) && (level === 'account' || level === 'zone');
  return fits && (parent === undefined || isTypeName(parent)) && Object.keys(others).length === 0;
}
