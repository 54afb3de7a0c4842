import type { ResultOf } from '@packhouse/client';
import { fields, shown, table, type Screen } from '@packhouse/command';
import { parentOf } from '../../api/tag-types.ts';
import type { Tags } from './pairs.ts';

/** A parent's id is in a further member, named by the parent's type (section 4 of `tagging.md`). */
export type TaggedResource = ResultOf<'getAccountTags'>;

/** Formats one resource with its tags, one per line. */
export function resourceText(resource: TaggedResource, screen: Screen): string {
  const { tags, ...rest } = resource;
  return `${fields(Object.entries(rest))}\n${tagsText(tags, screen)}`;
}

function tagsText(tags: Tags, screen: Screen): string {
  return table(['KEY', 'VALUE'], inOrder(tags), 'It has no tags.', screen);
}

/**
 * Formats resources with their tags, one per line. Columns for zones and parents appear only where they have values.
 */
export function resourcesText(resources: readonly TaggedResource[], none: string, screen: Screen): string {
  const columns: readonly (readonly [string, (resource: TaggedResource) => string | undefined])[] = [
    ['TYPE', ({ type }) => type],
    ['ID', ({ id }) => id],
    ['NAME', ({ name }) => name],
    ['ZONE', ({ zone_id }) => zone_id],
    ['PARENT', parentText],
    ['TAGS', ({ tags }) => inOrder(tags).map(pairText).join(' ')],
  ];
  const filled = columns.filter(([, of]) => resources.some((resource) => of(resource) !== undefined));
  return table(
    filled.map(([head]) => head),
    resources.map((resource) => filled.map(([, of]) => shown(of(resource)))),
    none,
    screen,
  );
}

/** Formats the parent as `--parent` accepts it. */
function parentText(resource: TaggedResource): string | undefined {
  const {
    id: _id,
    type: _type,
    name: _name,
    tags: _tags,
    etag: _etag,
    zone_id: _zone,
    tags_updated_at: _at,
    ...rest
  } = resource;
  const [parent] = Object.entries(rest);
  if (parent === undefined) return undefined;
  const [member, id] = parent;
  return parentOf(resource.type) === member ? String(id) : `${member}=${String(id)}`;
}

/** Formats a pair, quoted where it would not be one word. */
function pairText([key, value]: readonly [string, string]): string {
  return `${key}=${/[\s"]/.test(value) ? JSON.stringify(value) : value}`;
}

function inOrder(tags: Tags): [string, string][] {
  return Object.entries(tags)
    .map(([key, value]): [string, string] => [shown(key), shown(value)])
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}
