import { etagOf } from '@packhouse/tag-filter';
import { isoTime } from '@packhouse/base';
import type { ResourceIdentity, TagRecord } from '../model/tag-store.ts';
import type { Registry } from '../registry/registry.ts';
import type { TaggedResource } from '../model/tagging.ts';

/** A resource as replies show it (TAG-027 to TAG-035). Without a record it has no tags, and no time of them. */
export function taggedResource(
  registry: Registry,
  { type, zone, parent, id }: ResourceIdentity,
  name: string,
  record: Pick<TagRecord, 'tags' | 'updatedAt'> | undefined,
): TaggedResource {
  const tags = record?.tags ?? {};
  // A type that has left the registry since has no name for its parent any more.
  const parentName = registry.get(type)?.parent;
  return {
    id,
    type,
    name,
    tags,
    etag: etagOf(tags),
    ...(zone !== null && { zone_id: zone }),
    ...(parent !== null && parentName !== undefined && { [parentName]: parent }),
    ...(record && { tags_updated_at: isoTime(record.updatedAt) }),
  };
}
