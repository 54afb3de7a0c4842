import { SettingsError } from '@packhouse/base';
import type { ResourceType, ResourceTypeChanges } from '../model/resource-types.ts';

/** The types that resources may have, by their names (TAG-125). */
export type Registry = ReadonlyMap<string, ResourceType>;

/** Changes and the name of the setting or option that has them, for messages. */
export interface NamedChanges {
  readonly name: string;
  readonly changes: ResourceTypeChanges;
}

/**
 * The registry with changes applied one after the other, in each the removals first.
 *
 * @throws {SettingsError} for a name of the wrong form, a level that is none, a member that types do not have, a
 *   directory that is none, a type that is there already, one to be removed that is not there, and a parent that is
 *   called as another member is.
 */
export function createRegistry(defaults: readonly ResourceType[], changes: readonly NamedChanges[]): Registry {
  const types = new Map(defaults.map((type) => [type.type, type]));
  for (const {
    name,
    changes: { add = [], remove = [] },
  } of changes) {
    for (const type of remove) {
      if (!types.delete(type)) throw new SettingsError(name, `must not remove "${type}", which is no resource type`);
    }
    for (const given of add) {
      // From JavaScript it may be no object.
      const type = Object(given) as ResourceType;
      const fault = faultOf(type) ?? (types.has(type.type) ? 'is there already (remove it to replace it)' : undefined);
      if (fault !== undefined) {
        throw new SettingsError(name, `must not add the resource type "${type.type}": it ${fault} (TAG-125)`);
      }
      types.set(type.type, type);
    }
  }
  return types;
}

const nameForm = /^[a-z0-9_]{1,64}$/;

/** Members of requests and replies, beside which the parent stands (sections 4 and 5 of `tagging.md`). */
const otherMembers: ReadonlySet<string> = new Set([
  'resource_type',
  'resource_id',
  'tags',
  'id',
  'type',
  'name',
  'etag',
  'zone_id',
  'tags_updated_at',
]);

function faultOf({ type, level, parent, directory, ...others }: ResourceType): string | undefined {
  if (!isName(type)) return 'must be named with 1 to 64 of a-z 0-9 _';
  if (level !== 'account' && level !== 'zone') return 'must have the level "account" or "zone"';
  // With a directory that is misspelt or none, every id would exist.
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `must not have the member "${unknown}", but type, level, parent and directory only`;
  if (directory !== undefined && typeof Object(directory).find !== 'function') {
    return 'must have a directory with a method find, or none';
  }
  if (parent === undefined) return undefined;
  if (!isName(parent)) return 'must have a parent that is named with 1 to 64 of a-z 0-9 _';
  return otherMembers.has(parent)
    ? `must not have the parent "${parent}", which is the name of another member`
    : undefined;
}

/** Options may come from JavaScript: a test of a regular expression takes `undefined` for a name. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && nameForm.test(value);
}
