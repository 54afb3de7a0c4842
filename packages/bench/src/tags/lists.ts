import type { TaggedResourceList } from '@packhouse/tagging';
import { parseTagFilters } from '@packhouse/tag-filter';

/** A list to measure. */
export type MeasuredList = ResourceList | TextList;

export interface ResourceList {
  readonly kind: 'resources';
  readonly title: string;
  /** The query string from `?` on, or empty. */
  readonly query: string;
  /** The same query for the store. */
  readonly list: TaggedResourceList;
}

export interface TextList {
  readonly kind: 'keys' | 'values' | 'summary';
  readonly title: string;
  /** The key, for lists of values; else empty. */
  readonly key: string;
}

const resources = (title: string, query: string): ResourceList => {
  const parameters = new URLSearchParams(query);
  return {
    kind: 'resources',
    title,
    query,
    list: {
      types: parameters.getAll('type'),
      ids: [],
      name: parameters.get('name') ?? '',
      filters: parseTagFilters(query),
      caseInsensitive: parameters.get('case_insensitive') === 'true',
    },
  };
};

/** All lists of a run. The sample resources make their results common or rare. */
export const measuredLists: readonly MeasuredList[] = [
  resources('all', ''),
  resources('common: env=prod', '?tag=env=prod'),
  resources('several: env=prod,staging', '?tag=env=prod,staging'),
  resources('negated: !archived', '?tag=!archived'),
  resources('negated: env!=dev', '?tag=env!=dev'),
  resources('two: env=prod, !archived', '?tag=env=prod&tag=!archived'),
  resources('any case: ENV=Prod', '?tag=ENV=Prod&case_insensitive=true'),
  resources('rare: owner=person-42', '?tag=owner=person-42'),
  resources('rare last: env=prod, owner=person-42', '?tag=env=prod&tag=owner=person-42'),
  resources('rare, several: owner=person-42,person-43', '?tag=owner=person-42,person-43'),
  resources('rare, any case: OWNER=Person-42', '?tag=OWNER=Person-42&case_insensitive=true'),
  resources('rare key: label-59999', '?tag=label-59999'),
  resources('none: owner=nobody', '?tag=owner=nobody'),
  resources('none of two common ones: active, archived', '?tag=active&tag=archived'),
  resources('none after all: env!=prod,staging,dev', '?tag=env!=prod,staging,dev'),
  resources('type and common: env=prod', '?type=queue&tag=env=prod'),
  resources('part of a name: service-4242', '?name=service-4242'),
  { kind: 'keys', title: 'keys', key: '' },
  { kind: 'values', title: 'values, many: serial', key: 'serial' },
  { kind: 'values', title: 'values, few: env', key: 'env' },
  { kind: 'summary', title: 'summary', key: '' },
];
