import type { Context } from '../../../core/context.ts';
import { pageMax } from './tag-lists.ts';
import { forEachOf, numbered } from './tagged-resources.ts';
import type { Tags } from './filter-model.ts';

/** One more worker than a page holds. All cases of pages share them, since each costs two requests. */
export interface HundredWorkers {
  readonly prefix: string;
  /** In order. */
  readonly ids: readonly string[];
  /** Keys of all of them, whose values are the last four digits of the id. `most` is missing on the first. */
  readonly all: string;
  readonly most: string;
  readonly walked: string;
  readonly longest: string;
  /** Returns the tags of one. */
  readonly tagsOf: (id: string) => Tags;
  /** Sets the tags of one with others in addition. A case must not do so by itself: its clean-up removes what it set. */
  readonly change: (id: string, more: Tags) => Promise<void>;
}

/** Returns the workers, which the first case makes. */
export async function hundredWorkers(t: Context): Promise<HundredWorkers> {
  return await t.shared('tags/hundred-workers', async (shared) => {
    const [all, most, walked, longest] = ['all', 'most', 'walked', 'longest'].map((word) => shared.name(word)) as [
      string,
      string,
      string,
      string,
    ];
    const prefix = shared.name('id.');
    const ids = numbered(pageMax + 1, prefix);
    const tagsOf = (id: string): Tags => {
      const keys = [all, walked, longest, ...(id === ids[0] ? [] : [most])];
      return Object.fromEntries(keys.map((key) => [key, id.slice(-4)]));
    };
    const change = async (id: string, more: Tags): Promise<void> => {
      await shared.setTags({ resource_type: 'worker', resource_id: id }, { ...tagsOf(id), ...more });
    };
    await forEachOf(ids, async (id) => await change(id, {}));
    return { prefix, ids, all, most, walked, longest, tagsOf, change };
  });
}

/** Returns the keys of one worker, in order: more than a page holds, and each as long as can be. */
export async function longKeys(t: Context): Promise<readonly string[]> {
  return await t.shared('tags/long-keys', async (shared) => {
    const keys = numbered(pageMax + 20, shared.name('key.')).map((key) => key + '𐐀'.repeat(256 - key.length));
    const tags = Object.fromEntries(keys.map((key) => [key, 'v']));
    await shared.setTags({ resource_type: 'worker', resource_id: shared.name('worker') }, tags);
    return keys;
  });
}
