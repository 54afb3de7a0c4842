import { SettingsError } from '@packhouse/base';
import type { ResourceType, ResourceTypeChanges } from '../model/resource-types.ts';

/** All resource types by name (TAG-125). */
export type Registry = ReadonlyMap<string, ResourceType>;

/** Changes with the name of the setting or option that has them, for messages. */
export interface NamedChanges {
  readonly name: string;
  readonly changes: ResourceTypeChanges;
}

/**
 * Applies changes one after the other, each with its removals first.
 *
 * @throws {SettingsError} for an invalid name, level, member or directory, for adding an existing type, for removing a
 * missing one, and for a parent with the name of another member.
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
      // JavaScript callers may pass a value that is not an object.
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

/** Other members of requests and replies next to the parent (sections 4 and 5 of `tagging.md`). */
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
  // A misspelt or invalid directory would mean that every id exists.
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

/** JavaScript callers may pass `undefined`, which a regular expression would test as a text. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && nameForm.test(value);
}
