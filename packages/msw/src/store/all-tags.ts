import type { TagRecord, TagStore } from '@packhouse/tagging';

/** Returns all tagged resources. */
export async function allTags(store: TagStore): Promise<readonly TagRecord[]> {
  const everything = { types: [], ids: [], name: '', filters: [], caseInsensitive: false };
  return (await store.resources(everything, { limit: Number.MAX_SAFE_INTEGER })).items;
}
