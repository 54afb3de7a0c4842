import type { ResourceIdentity, TagStores } from '../model/tag-store.ts';
import { isResourceText } from '../input/resource-text.ts';
import type { Directories } from '../registry/directories.ts';
import type { Registry } from '../registry/registry.ts';
import type { HostResource, Tagging } from '../model/tagging.ts';

/** Makes the methods by which the host reports changes of its resources. */
export function createHostNotices(
  stores: TagStores,
  registry: Registry,
  directories: Directories,
): Pick<Tagging, 'resourceRenamed' | 'resourceDeleted'> {
  return {
    async resourceRenamed(account, resource, name) {
      const identity = identityOf(registry, resource);
      if (!directories.serves(identity.type)) {
        throw new RangeError(`a resource of the type "${identity.type}" has no name: the type has no directory`);
      }
      await stores(account).rename(identity, name.toWellFormed());
    },
    async resourceDeleted(account, resource) {
      await stores(account).remove(identityOf(registry, resource), null);
    },
  };
}

/**
 * Checks a resource of the host.
 *
 * @throws {RangeError} for an impossible resource.
 */
function identityOf(registry: Registry, { type: name, id, zone, parent }: HostResource): ResourceIdentity {
  const type = registry.get(name);
  if (type === undefined) throw new RangeError(`"${name}" is no resource type`);
  return {
    type: name,
    zone: type.level === 'zone' ? requireText(name, 'zone', zone) : requireNone(name, 'zone', zone),
    parent: type.parent === undefined ? requireNone(name, 'parent', parent) : requireText(name, 'parent', parent),
    id: requireText(name, 'id', id),
  };
}

function requireText(type: string, what: string, text: string | undefined): string {
  if (text !== undefined && isResourceText(text)) return text;
  throw new RangeError(`a resource of the type "${type}" needs a text of 1 to 1024 characters as its ${what}`);
}

function requireNone(type: string, what: string, text: string | undefined): null {
  if (text === undefined) return null;
  throw new RangeError(`a resource of the type "${type}" has no ${what}`);
}
