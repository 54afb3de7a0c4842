import type { TaggedResource, TagSummary } from '@packhouse/tagging';
import type { PageStart } from './contender.ts';
import type { HttpContender } from './http-contender.ts';
import type { MeasuredList } from './lists.ts';

/** Finds the start of a page of a list by walking there; undefined if the list ends before. Pages count from 1. */
export const findPage = async (
  http: HttpContender,
  list: MeasuredList,
  page: number,
): Promise<PageStart | undefined> => {
  let cursor = '';
  let last: unknown;
  for (let passed = 1; passed < page; passed++) {
    const reply = await http.reply(list, cursor);
    if (reply.result_info.cursor === null) return undefined;
    cursor = reply.result_info.cursor;
    last = reply.result.at(-1);
  }
  return last === undefined ? undefined : { cursor, after: placeOf(list, last) };
};

const placeOf = (list: MeasuredList, item: unknown): PageStart['after'] => {
  if (list.kind === 'summary') return (item as TagSummary).key;
  if (list.kind !== 'resources') return item as string;
  const { type, id, zone_id } = item as TaggedResource;
  return { type, zone: zone_id ?? null, parent: null, id };
};
