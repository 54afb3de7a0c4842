import type { ResourceIdentity, TagPart, TagRecord, TagStore, TagSummary } from '@packhouse/tagging';
import { resourceText, summaryText, type TagContender } from './contender.ts';
import type { MeasuredList } from './lists.ts';

/** Items per page (TAG-075). */
export const pageSize = 100;

/** Calls the store as the API does. */
export const storeContender = (store: TagStore): TagContender => ({
  name: 'store',
  page(measured, start) {
    const limit = pageSize;
    const slice = start === undefined ? { limit } : { limit, after: start.after as string };
    switch (measured.kind) {
      case 'resources': {
        const places = start === undefined ? { limit } : { limit, after: start.after as ResourceIdentity };
        return () => store.resources(measured.list, places);
      }
      case 'keys':
        return () => store.keys(slice);
      case 'values':
        return () => store.values(measured.key, null, slice);
      case 'summary':
        return () => store.summary(slice);
    }
  },

  async read({ kind }: MeasuredList, page) {
    const { items } = page as TagPart<unknown>;
    if (kind === 'resources')
      return (items as readonly TagRecord[]).map(({ resource, name, tags }) => resourceText(resource, name, tags));
    return kind === 'summary' ? (items as readonly TagSummary[]).map(summaryText) : (items as readonly string[]);
  },

  get:
    ({ resource }) =>
    () =>
      store.record(resource),

  set({ resource, name, tags }) {
    let turn = 0;
    return () =>
      store.set({
        resource,
        name,
        tags: { ...tags, release: String(turn++) },
        ifMatch: null,
        at: Date.now(),
        accountMax: Number.MAX_SAFE_INTEGER,
        resourceMax: null,
      });
  },
});
