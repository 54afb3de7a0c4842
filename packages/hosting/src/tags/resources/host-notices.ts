import type { ResourceIdentity, TagStores } from '../../ports/tag-store.ts';
import { isResourceText } from '../input/resource-text.ts';
import type { Registry } from '../registry/registry.ts';
import type { HostResource, Tagging } from '../tagging.ts';

/** What the host tells of its resources. @throws {RangeError} for what no resource can be. */
export function createHostNotices(
  stores: TagStores,
  registry: Registry,
): Pick<Tagging, 'resourceRenamed' | 'resourceDeleted'> {
  return {
    async resourceRenamed(account, resource, name) {
      await stores(account).rename(identityOf(registry, resource), name.toWellFormed());
    },
    async resourceDeleted(account, resource) {
      await stores(account).remove(identityOf(registry, resource), null);
    },
  };
}

function identityOf(registry: Registry, { type: name, id, zone, parent }: HostResource): ResourceIdentity {
  const type = registry.get(name);
  if (type === undefined) throw new RangeError(`"${name}" is no resource type`);
  const required = (what: string, needed: boolean, text: string | undefined): string | null => {
    if (!needed && text === undefined) return null;
    if (!needed) throw new RangeError(`a resource of the type "${name}" has no ${what}`);
    if (text === undefined || !isResourceText(text)) {
      throw new RangeError(`a resource of the type "${name}" needs a ${what} of 1 to 1024 characters`);
    }
    return text;
  };
  return {
    type: name,
    zone: required('zone', type.level === 'zone', zone),
    parent: required('parent', type.parent !== undefined, parent),
    id: required('id', true, id) ?? '',
  };
}
