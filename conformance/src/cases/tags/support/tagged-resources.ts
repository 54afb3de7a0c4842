import type { Context } from '../../../core/context.ts';
import type { Tags } from './filter-model.ts';

/** Requests in flight while a case creates its resources. */
const atOnce = 8;

/** Runs work for each item and its index, a few at a time. Returns the results in order. */
export async function forEachOf<T, R>(
  all: readonly T[],
  act: (one: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < all.length; at += atOnce) {
    const some = all.slice(at, at + atOnce);
    results.push(...(await Promise.all(some.map(async (one, i) => await act(one, at + i)))));
  }
  return results;
}

/** Tags new resources of a type without a directory, one for each map. Returns their ids. */
export async function tagWorkers(t: Context, maps: readonly Tags[]): Promise<readonly string[]> {
  return await forEachOf(maps, async (tags) => {
    const id = t.name('worker');
    await t.setTags({ resource_type: 'worker', resource_id: id }, tags);
    return id;
  });
}

/** Returns numbers as texts whose order by code point is numeric. */
export function numbered(count: number, prefix = ''): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(4, '0')}`);
}
