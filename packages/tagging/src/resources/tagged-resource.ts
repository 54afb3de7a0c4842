import { etagOf } from '@packhouse/tag-filter';
import { isoTime } from '@packhouse/base';
import type { ResourceIdentity, TagRecord } from '../model/tag-store.ts';
import type { Registry } from '../registry/registry.ts';
import type { TaggedResource } from '../model/tagging.ts';

/** Makes the reply for a resource (TAG-027 to TAG-035). Without a record it has no tags and no time. */
export function taggedResource(
  registry: Registry,
  { type, zone, parent, id }: ResourceIdentity,
  name: string,
  record: Pick<TagRecord, 'tags' | 'updatedAt'> | undefined,
): TaggedResource {
  const tags = record?.tags ?? {};
  // A type that left the registry no longer has a parent name.
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
