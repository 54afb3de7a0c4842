import { formatTagFilter, parseTagKey, parseTagValue } from '@packhouse/tag-filter';
import type { Clock } from '@packhouse/base';
import type { ResourceIdentity, TaggedResourceList, TagRecord, TagStores, TagSummary } from '../model/tag-store.ts';
import { readListQuery } from '../input/list-query.ts';
import { Parameters } from '../input/parameters.ts';
import { readKeySegment } from '../input/key-segment.ts';
import type { Registry } from '../registry/registry.ts';
import { requireType } from '../registry/require-type.ts';
import { taggedResource } from '../resources/tagged-resource.ts';
import type { Tagging } from '../model/tagging.ts';
import { readTagPage } from './page-of-tags.ts';
import { isResourceText } from '../input/resource-text.ts';

/** Makes the list routes (section 8 of `tagging.md`). */
export function createTagLists(
  stores: TagStores,
  registry: Registry,
  clock: Clock,
): Pick<Tagging, 'resources' | 'keys' | 'values' | 'summary'> {
  return {
    async resources(account, query) {
      const list = readListQuery(registry, query);
      const store = stores(account);
      const { items, info } = await readTagPage<TagRecord, ResourceIdentity>(
        store,
        {
          binding: ['resources', account, textOf(list)],
          read: (slice) => store.resources(list, slice),
          writePlace: ({ resource }) => writeResourcePlace(resource),
          readPlace: readResourcePlace,
        },
        query,
        clock.now(),
      );
      return { items: items.map((record) => taggedResource(registry, record.resource, record.name, record)), info };
    },

    async keys(account, query) {
      const store = stores(account);
      return readTagPage<string, string>(
        store,
        {
          binding: ['keys', account],
          read: (slice) => store.keys(slice),
          writePlace: (key) => key,
          readPlace: readKeyPlace,
        },
        query,
        clock.now(),
      );
    },

    async values(account, segment, query) {
      const key = readKeySegment(segment);
      const typeName = new Parameters(query, ['type']).one('type');
      const type = typeName === undefined ? null : requireType(registry, typeName, undefined, '/type').type;
      const store = stores(account);
      return readTagPage<string, string>(
        store,
        {
          binding: ['values', account, key, type ?? ''],
          read: (slice) => store.values(key, type, slice),
          writePlace: (value) => value,
          readPlace: readValuePlace,
        },
        query,
        clock.now(),
      );
    },

    async summary(account, query) {
      const store = stores(account);
      return readTagPage<TagSummary, string>(
        store,
        {
          binding: ['summary', account],
          read: (slice) => store.summary(slice),
          writePlace: ({ key }) => key,
          readPlace: readKeyPlace,
        },
        query,
        clock.now(),
      );
    },
  };
}

/** Serializes a query. Two queries have the same text if and only if they ask for the same list. */
function textOf({ types, ids, name, filters, caseInsensitive }: TaggedResourceList): string {
  return JSON.stringify([types, ids, name, filters.map(formatTagFilter), caseInsensitive]);
}

// Clients can forge cursors, so a position is validated before a store sees it.

/** Parses the position of a key from a cursor; `undefined` if invalid. */
export function readKeyPlace(value: unknown): string | undefined {
  return typeof value === 'string' ? parseTagKey(value) : undefined;
}

/** Parses the position of a tag value from a cursor; `undefined` if invalid. */
export function readValuePlace(value: unknown): string | undefined {
  return typeof value === 'string' ? parseTagValue(value) : undefined;
}

/** Writes a position for a cursor. It is short, so that few positions are too long for a cursor. */
export function writeResourcePlace({ type, zone, parent, id }: ResourceIdentity): readonly (string | null)[] {
  return [type, zone, parent, id];
}

/** Inverse of {@link writeResourcePlace}; `undefined` if invalid. */
export function readResourcePlace(value: unknown): ResourceIdentity | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [type, zone, parent, id] = value as unknown[];
  return isText(type) && isTextOrNull(zone) && isTextOrNull(parent) && isText(id)
    ? { type, zone, parent, id }
    : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isResourceText(value);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}
