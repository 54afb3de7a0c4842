import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { createMock, type ChangedPageFault, type RepoSeed, type Seed } from '../../src/index.ts';
import { createTaggingMock, type TaggingSeed } from '../../src/tagging.ts';
import { send } from '../store/clocked-mock.ts';

const headers = { authorization: 'Bearer any' };
const id = fc.integer({ min: 0, max: 15 }).map((number) => `r${number}`);
const ids = fc.uniqueArray(id, { maxLength: 6 });

/** A change between two pages: removed ids, added ids, and the creation year of the added ones. */
const change = fc.record({ remove: ids, add: ids, at: fc.option(fc.integer({ min: 2000, max: 2030 })) });

interface Page {
  readonly names: readonly string[];
  readonly cursor: string | null;
}

/**
 * Reads a list to its end with a change after each page. Returns all items seen, and the items that were present
 * throughout.
 */
async function read(
  present: readonly string[],
  changes: readonly { readonly remove: readonly string[]; readonly add: readonly string[] }[],
  make: (remove: readonly string[], add: readonly string[], number: number) => void,
  page: (cursor: string) => Promise<Page>,
): Promise<{
  readonly seen: readonly string[];
  readonly throughout: readonly string[];
  readonly ever: ReadonlySet<string>;
}> {
  const now = new Set(present);
  const throughout = new Set(present);
  const ever = new Set(present);
  const seen: string[] = [];
  let cursor: string | null = '';
  for (let number = 0; cursor !== null; number++) {
    const { remove = [], add = [] } = changes[number] ?? {};
    const gone = remove.filter((one) => now.has(one));
    for (const one of gone) {
      now.delete(one);
      throughout.delete(one);
    }
    const come = add.filter((one) => !now.has(one));
    for (const one of come) {
      now.add(one);
      ever.add(one);
    }
    make(gone, come, number);
    const { names, cursor: next }: Page = await page(cursor);
    seen.push(...names);
    cursor = next;
  }
  return { seen, throughout: [...throughout], ever };
}

function holds({ seen, throughout, ever }: Awaited<ReturnType<typeof read>>, mayComeAgain: ReadonlySet<string>): void {
  const once = seen.filter((one) => !mayComeAgain.has(one));
  expect(once).toEqual([...new Set(once)]);
  expect(throughout.filter((one) => !seen.includes(one))).toEqual([]);
  expect(seen.filter((one) => !ever.has(one))).toEqual([]);
}

/** The names of removed repos. If such a name appears again, it belongs to a new repo. */
const comesAgain = (changes: readonly { readonly remove: readonly string[] }[]): ReadonlySet<string> =>
  new Set(changes.flatMap(({ remove }) => remove));

describe('lists that change while they are read', () => {
  test.prop([ids, fc.array(change, { maxLength: 5 }), fc.integer({ min: 1, max: 4 })], { numRuns: 60 })(
    'REPO-094: a walk sees each repo that is present throughout, and none twice',
    async (first, changes, limit) => {
      const repos: Record<string, RepoSeed> = Object.fromEntries(first.map((name) => [name, {}]));
      const mock = createMock({
        baseUrl: 'https://api.example.test',
        seed: { repos },
        clock: { now: () => 1_800_000_000_000 },
      });
      const url = `${mock.restUrl}/namespaces/default/repos`;
      const all = await read(
        first,
        changes,
        (remove, add, number) => {
          const at = changes[number]?.at;
          const made: RepoSeed = at === null || at === undefined ? {} : { createdAt: `${at}-01-01T00:00:00Z` };
          const fault: ChangedPageFault<Seed> = {
            kind: 'changed page',
            remove,
            add: { repos: Object.fromEntries(add.map((name) => [name, made])) },
          };
          mock.faults.add(fault);
        },
        async (cursor) => {
          const query = new URLSearchParams({ limit: String(limit), cursor });
          const reply = await send(mock.handlers, { method: 'GET', url: `${url}?${query}`, headers });
          const { result, result_info: info } = JSON.parse(reply.text) as {
            result: { name: string }[];
            result_info: { cursor: string };
          };
          return { names: result.map(({ name }) => name), cursor: info.cursor === '' ? null : info.cursor };
        },
      );
      holds(all, comesAgain(changes));
    },
  );

  // A page always has 100 items (TAG-075).
  const many = fc.uniqueArray(fc.integer({ min: 100, max: 499 }).map(String), {
    minLength: 150,
    maxLength: 350,
    size: 'max',
  });
  const some = fc.uniqueArray(fc.integer({ min: 100, max: 499 }).map(String), { maxLength: 120, size: 'max' });
  test.prop([many, fc.array(fc.record({ remove: some, add: some }), { maxLength: 5 })], { numRuns: 20 })(
    'TAG-079: a walk sees each tagged resource that is present throughout, and none twice',
    async (first, changes) => {
      const tagged = (names: readonly string[], tags: Readonly<Record<string, string>>): TaggingSeed => ({
        tags: names.map((name) => ({ type: 'worker', id: name, tags })),
      });
      const mock = createTaggingMock({ baseUrl: 'https://api.example.test', seed: tagged(first, { a: '1' }) });
      let pages = 0;
      const all = await read(
        first,
        changes,
        (remove, add) => {
          mock.faults.add(
            { kind: 'changed page', add: tagged(remove, {}) },
            { kind: 'changed page', add: tagged(add, { b: '2' }) },
          );
        },
        async (cursor) => {
          pages += 1;
          const url = `${mock.accountUrl}/tags/resources?${new URLSearchParams({ cursor })}`;
          const reply = await send(mock.handlers, { method: 'GET', url, headers });
          const { result, result_info: info } = JSON.parse(reply.text) as {
            result: { id: string }[];
            result_info: { cursor: string | null };
          };
          return { names: result.map((one) => one.id), cursor: info.cursor };
        },
      );
      expect(pages).toBeGreaterThan(1);
      // A resource with the same id is the same resource, in the same place.
      holds(all, new Set());
    },
  );
});
