import { foldCase, matches } from '@packhouse/tag-filter';
import type {
  ResourceIdentity,
  SetTagsOutcome,
  TagChange,
  TaggedResourceList,
  TagPart,
  TagRecord,
  TagSlice,
  TagStore,
  TagStores,
  TagSummary,
} from '../model/tag-store.ts';
import { compareBytewise } from '@packhouse/base';
import { changed, countRecord, countTags, mayWrite } from './change.ts';
import { cut, lengthOfSummary, lengthOfTags } from './cut.ts';
import { keptFor } from './kept-for.ts';
import { placeOf, rangesOf } from './place.ts';

/** Makes tag stores in memory, for tests, mocks and browsers. */
export function memoryTagStores(): TagStores {
  const stores = new Map<string, TagStore>();
  return (account) => {
    const store = stores.get(account) ?? new MemoryTagStore();
    stores.set(account, store);
    return store;
  };
}

class MemoryTagStore implements TagStore {
  readonly #records = new Map<string, TagRecord>();
  /** Positions of the records, sorted. */
  readonly #places: string[] = [];
  readonly #kept = new Map<string, { readonly place: string; readonly at: number }>();
  #tags = 0;

  async record(resource: ResourceIdentity): Promise<TagRecord | undefined> {
    return copied(this.#records.get(placeOf(resource)));
  }

  async set(change: TagChange): Promise<SetTagsOutcome> {
    const place = placeOf(change.resource);
    const before = this.#records.get(place);
    const outcome = changed(change, before, this.#tags);
    if (outcome.kind !== 'set') return outcome;
    if (before === undefined) this.#places.splice(this.#indexAfter(place), 0, place);
    this.#records.set(place, outcome.record);
    this.#tags += countRecord(outcome.record) - countRecord(before);
    return { kind: 'set', record: copied(outcome.record) };
  }

  async remove(resource: ResourceIdentity, ifMatch: string | null): Promise<'removed' | 'missing' | 'no match'> {
    const place = placeOf(resource);
    const before = this.#records.get(place);
    if (!mayWrite(ifMatch, before)) return 'no match';
    if (before === undefined) return 'missing';
    this.#places.splice(this.#indexAfter(place) - 1, 1);
    this.#records.delete(place);
    this.#tags -= countRecord(before);
    return 'removed';
  }

  async rename(resource: ResourceIdentity, name: string): Promise<void> {
    const place = placeOf(resource);
    const before = this.#records.get(place);
    if (before !== undefined) this.#records.set(place, { ...before, name });
  }

  async resources(list: TaggedResourceList, slice: TagSlice<ResourceIdentity>): Promise<TagPart<TagRecord>> {
    const { items, more } = cut(this.#following(list, slice.after), slice, ({ tags }) => lengthOfTags(tags));
    return { items: items.map(copied), more };
  }

  async keys(slice: TagSlice<string>): Promise<TagPart<string>> {
    return distinct(
      [...this.#records.values()].flatMap(({ tags }) => Object.keys(tags)),
      slice,
    );
  }

  async values(key: string, type: string | null, slice: TagSlice<string>): Promise<TagPart<string>> {
    return distinct(this.#valuesOf(key, type), slice);
  }

  async summary(slice: TagSlice<string>): Promise<TagPart<TagSummary>> {
    const keys = await this.keys({ ...slice, limit: Infinity, lengthMax: Infinity });
    const values = new Map(keys.items.map((key) => [key, new Set<string>()]));
    for (const { tags } of this.#records.values())
      for (const [key, value] of Object.entries(tags)) values.get(key)?.add(value);
    const items = [...values].map(([key, ofKey]) => ({ key, values: sorted(ofKey) }));
    return cut(items, slice, lengthOfSummary);
  }

  async keepPlace(id: string, place: string, at: number): Promise<void> {
    for (const [old, kept] of this.#kept) if (kept.at < at - keptFor) this.#kept.delete(old);
    this.#kept.set(id, { place, at: Math.max(at, this.#kept.get(id)?.at ?? 0) });
  }

  async keptPlace(id: string): Promise<string | undefined> {
    return this.#kept.get(id)?.place;
  }

  *#following(list: TaggedResourceList, after: ResourceIdentity | undefined): Generator<TagRecord> {
    for (const range of rangesOf(list.types, after)) {
      for (let index = this.#indexAfter(range.after); index < this.#places.length; index++) {
        const place = this.#places[index] as string;
        if (compareBytewise(place, range.before) >= 0) break;
        const record = this.#records.get(place) as TagRecord;
        if (isListed(record, list)) yield record;
      }
    }
  }

  #valuesOf(key: string, type: string | null): string[] {
    return [...this.#records.values()]
      .filter(({ resource, tags }) => Object.hasOwn(tags, key) && (type === null || resource.type === type))
      .map(({ tags }) => tags[key] as string);
  }

  /** Finds the index of the first position after a text by binary search. */
  #indexAfter(text: string): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareBytewise(this.#places[middle] as string, text) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function isListed({ resource, name, tags }: TagRecord, list: TaggedResourceList): boolean {
  return (
    countTags(tags) > 0 &&
    (list.ids.length === 0 || list.ids.includes(resource.id)) &&
    foldCase(name).includes(foldCase(list.name)) &&
    matches(list.filters, tags, { caseInsensitive: list.caseInsensitive })
  );
}

function distinct(texts: readonly string[], slice: TagSlice<string>): TagPart<string> {
  const { after } = slice;
  const following = sorted(texts).filter((text) => after === undefined || compareBytewise(text, after) > 0);
  return cut(following, slice, (text) => text.length);
}

function sorted(texts: Iterable<string>): string[] {
  return [...new Set(texts)].toSorted(compareBytewise);
}

/** Returned records are copies, so that callers may change them. */
function copied<Kept extends TagRecord | undefined>(record: Kept): Kept {
  return record && { ...record, tags: { ...record.tags } };
}
