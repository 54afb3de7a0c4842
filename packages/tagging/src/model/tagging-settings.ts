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
  setting,
  type SettingRule,
  type ValuesOf,
} from '@packhouse/base';
import type { ResourceType, ResourceTypeChanges } from './resource-types.ts';

/** Form of the name of a resource type or parent. */
const typeForm = /^[a-z0-9_]{1,64}$/;

/** Rules of the settings of `tagging.md`. */
export const tagRules = {
  tags_not_found: setting<'500' | '404' | 'empty'>({
    text: 'The reply for a resource that is unknown or was never tagged: 500, 404 or empty (TAG-055 to TAG-059).',
    schema: { enum: ['500', '404', 'empty'] },
    default: '500',
    check: (value) =>
      value === '500' || value === '404' || value === 'empty' ? undefined : 'must be "500", "404" or "empty" (TAG-055)',
  }),
  account_tags_max: integer('Most tags in all resources of an account together (TAG-142).', 10_000, 0, 1_000_000_000),
  resource_tags_max: setting<number | null>({
    text: 'Most tags of one resource; null for no limit (TAG-143).',
    schema: { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 0, maximum: 1_000_000_000 }] },
    default: null,
    check: (value) =>
      value === null || isWithin(value, 0, 1_000_000_000)
        ? undefined
        : 'must be null or an integer from 0 to 1000000000 (TAG-143)',
  }),
  rate_tags: rate('Tagging requests with one credential: so many requests in so many seconds (TAG-144).', 1200, 300),
  zones: setting<Readonly<Record<string, string>>>({
    text: 'The zones whose resources can be tagged, each with the account that owns it (TAG-018).',
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
  }),
  resource_types: setting<ResourceTypeChanges<Omit<ResourceType, 'directory'>>>({
    text: 'Resource types to add to the default ones, or to remove from them (TAG-125).',
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
  }),
} satisfies Record<string, SettingRule>;

/** Values of {@link tagRules}, which documents each. */
export interface TagSettings extends ValuesOf<typeof tagRules> {}

const { zones: _, resource_types: __, ...tagOnly } = tagRules;
const rules = { ...tagOnly, ...faceRules };

/** Settings of tagging without the rest of the service, and of its HTTP API. */
export type TaggingSettings = Omit<ValuesOf<typeof rules>, 'docs_base'> & {
  /** Default: error items have no `documentation_url` (TAG-024). */
  readonly docs_base: string | undefined;
};

/**
 * Fills in defaults and checks the settings of tagging without the rest of the service. Ignores other members of
 * `given`.
 *
 * @throws {SettingsError} naming the setting and the violated rule.
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
