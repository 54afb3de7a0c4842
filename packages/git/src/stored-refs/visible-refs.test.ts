import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { RefPage, RefQuery } from '../ports/ref-query.ts';
import type { RepoState } from '../ports/repo-state.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import { createGitEngine } from '../engine/engine.ts';
import { resolveHead } from '../refs/head.ts';
import { byName, packed, RefVersions } from '../refs/made-refs.test.util.ts';
import { recordsOf, type RefSlice } from '../refs/packed-refs.ts';
import type { RefName } from '../refs/ref-name.ts';
import { RepoRefs } from './repo-refs.ts';
import { selectedRefs } from './selected-refs.ts';
import { isHidden, VisibleRefs } from './visible-refs.ts';

const ref = (name: string, digit = '1'): RefRecord => ({
  name: name as RefName,
  oid: digit.repeat(40) as ObjectId,
  kind: 'commit',
  peeled: null,
});

interface VisibleOptions {
  readonly defaultBranch?: string;
  /** True if the refs come with the snapshot. */
  readonly few?: boolean;
  /** Told each page of refs that is read. */
  readonly told?: (page: RefPage) => void;
}

/** The visible ones of these refs, as a request sees them. */
function visible(
  records: readonly RefRecord[],
  hidden: readonly string[],
  { defaultBranch = 'main', few = false, told }: VisibleOptions = {},
): VisibleRefs {
  const versions = new RefVersions();
  versions.note(1, records);
  const read = async (version: number, query: RefQuery): Promise<RefPage | undefined> => {
    const page = versions.read(version, query);
    told?.(page);
    return page;
  };
  const state = { refs: read } as Partial<RepoState> as RepoState;
  const refs = few ? packed(records) : undefined;
  const snapshot = { version: 1, refs, packs: [], shallow: [], defaultBranch, retiredTips: [] };
  const engine = createGitEngine({ codec: nodeCodec() });
  const repository = { id: 'a', state, packs: {} as never };
  return new VisibleRefs(new RepoRefs(engine, repository, snapshot, engine.scheduler.begin()), snapshot, hidden);
}

async function recordsIn(slices: AsyncIterable<RefSlice>): Promise<readonly RefRecord[]> {
  const records: RefRecord[] = [];
  for await (const slice of slices) records.push(...recordsOf(slice));
  return records;
}

const parts = fc.array(fc.constantFrom('a', 'a-', 'b', 'é', '🎉', '\uffee'), { minLength: 1, maxLength: 3 });
const names = parts.map((some) => `refs/heads/${some.join('/')}`);
const lists = fc
  .uniqueArray(
    fc.oneof(
      names,
      names.map((name) => name.replace('heads', 'tags')),
    ),
    { maxLength: 14 },
  )
  .map((some) => some.map((name, i) => ref(name, String(i % 10))).sort(byName));
const prefixes = fc.array(fc.oneof(names, fc.constantFrom('refs/heads/a/', 'refs/tags', 'refs/heads/')), {
  maxLength: 3,
});

describe('hidden refs', () => {
  it('GIT-129: a prefix ends at the border of a component', () => {
    expect(isHidden('refs/internal/x', ['refs/internal'])).toBe(true);
    expect(isHidden('refs/internal/x', ['refs/internal/'])).toBe(true);
    expect(isHidden('refs/internal/x', ['refs/internal/x'])).toBe(true);
    expect(isHidden('refs/internal/x', ['refs/internal/x/'])).toBe(true);
    expect(isHidden('refs/internals/x', ['refs/internal'])).toBe(false);
    expect(isHidden('refs/internal/x', ['refs/internal/x/y'])).toBe(false);
    expect(isHidden('refs/heads/x', ['refs/tags', 'refs/heads'])).toBe(true);
    expect(isHidden('refs/heads/x', [])).toBe(false);
  });

  test.prop([lists, prefixes, names])('GIT-129: are in no answer', async (records, hidden, prefix) => {
    const refs = visible(records, hidden);
    const open = records.filter(({ name }) => !isHidden(name, hidden));
    expect(await recordsIn(refs.below(''))).toEqual(open);
    expect(await recordsIn(refs.below(prefix))).toEqual(open.filter(({ name }) => name.startsWith(prefix)));
    expect([...(await refs.find(records.map(({ name }) => name))).values()].sort(byName)).toEqual(open);
    expect(await refs.hidesAny()).toBe(open.length < records.length);
    const closed = new Set((await recordsIn(refs.hidden())).map(({ name }) => name));
    expect(records.filter(({ name }) => closed.has(name))).toEqual(
      records.filter(({ name }) => isHidden(name, hidden)),
    );
    expect(closed.size).toBe(records.length - open.length);
  });
});

describe('selectedRefs', () => {
  const starts = fc.string({ unit: fc.constantFrom('a', '-', '/', 'é', '🎉'), maxLength: 3 });
  const asked = fc.array(
    fc.oneof(
      starts.map((start) => `refs/heads/${start}`),
      starts,
      fc.constantFrom('', 'ref'),
    ),
    {
      maxLength: 4,
    },
  );
  const many = Array.from({ length: 70 }, (_, i) => `refs/none/${i}`);
  test.prop([lists, prefixes, asked, fc.constantFrom([], many)])(
    'GIT-091: are the visible ones that start with any of the prefixes, in order',
    async (records, hidden, some, others) => {
      const wanted = some.length === 0 ? [] : [...some, ...others];
      expect(await recordsIn(selectedRefs(visible(records, hidden), wanted))).toEqual(
        records.filter(
          ({ name }) =>
            !isHidden(name, hidden) && (wanted.length === 0 || wanted.some((prefix) => name.startsWith(prefix))),
        ),
      );
    },
  );
});

describe('pages', () => {
  const begins = fc.constantFrom('', 'refs/', 'refs/heads/', 'refs/heads/a', 'refs/heads/a/', 'refs/tags/', 'é', 'x');

  test.prop([lists, prefixes, begins, fc.integer({ min: 1, max: 5 }), fc.boolean()])(
    'REPO-233: are the visible refs below a prefix, each once and in order',
    async (records, hidden, prefix, limit, few) => {
      const refs = visible(records, hidden, { few });
      const expected = records.filter(({ name }) => name.startsWith(prefix) && !isHidden(name, hidden));
      const seen: RefRecord[] = [];
      for (let after: RefName | undefined; ;) {
        const page = await refs.page(prefix, after, limit);
        expect(page).toEqual(expected.slice(seen.length, seen.length + limit));
        seen.push(...page);
        after = page.at(-1)?.name;
        if (page.length < limit) break;
      }
      expect(seen).toEqual(expected);
      for (const { name } of records) {
        const rest = expected.filter((one) => byName(one, { name }) > 0);
        expect(await refs.page(prefix, name, limit)).toEqual(rest.slice(0, limit));
      }
    },
  );

  it.each([false, true])('GIT-129: lose and repeat nothing beside hidden refs, few %s', async (few) => {
    const ends = ['a', 'a-', 'a/b', 'a/\u{10ffff}', 'a/\u{10ffff}b', 'a/\u{10ffff}c', 'c'];
    const records = ends.map((end) => ref(`refs/heads/${end}`)).sort(byName);
    for (const hidden of [['refs/heads/a'], ['refs/heads/a/'], ['refs/heads/a/b'], ['refs/heads/a/\u{10ffff}']]) {
      const expected = records.filter(({ name }) => !isHidden(name, hidden));
      const refs = visible(records, hidden, { few });
      for (let at = 0; at < expected.length; at++) {
        expect(await refs.page('', expected[at - 1]?.name, 1)).toEqual([expected[at]]);
      }
      expect(await refs.page('', expected.at(-1)?.name, 1)).toEqual([]);
    }
  });

  it('REPO-235: read at most one page more for each hidden prefix', async () => {
    const many = (folder: string): RefRecord[] =>
      Array.from({ length: 2000 }, (_, i) => ref(`refs/${folder}/${String(i).padStart(4, '0')}`));
    const records = [...many('a'), ...many('hidden'), ...many('z')];
    let read = 0;
    const told = ({ chunks }: RefPage): void => void (read += chunks.reduce((sum, { count }) => sum + count, 0));
    const refs = visible(records, ['refs/hidden'], { told });
    expect(await refs.page('', 'refs/a/1998' as RefName, 3)).toEqual([records[1999], ...records.slice(4000, 4002)]);
    expect(read).toBeLessThanOrEqual(3 + 3);
    read = 0;
    expect(await refs.page('refs/z/', undefined, 2)).toEqual(records.slice(4000, 4002));
    expect(read).toBe(2);
  });
});

describe('resolveHead', () => {
  const main = ref('refs/heads/main', 'a');
  const other = ref('refs/heads/other', 'b');
  const tag = ref('refs/tags/main', 'c');

  it('GIT-130: is the default branch if that exists', () => {
    expect(resolveHead([main, other, tag], 'other')).toEqual({ ref: other.name, oid: other.oid });
    expect(resolveHead([main, other, tag], 'main')).toEqual({ ref: main.name, oid: main.oid });
  });

  it('GIT-130: else the only branch', () => {
    expect(resolveHead([other, tag], 'main')).toEqual({ ref: other.name, oid: other.oid });
  });

  it('GIT-130: else the default branch, unborn', () => {
    expect(resolveHead([main, other, tag], 'gone')).toEqual({ ref: 'refs/heads/gone', oid: undefined });
    expect(resolveHead([tag], 'main')).toEqual({ ref: 'refs/heads/main', oid: undefined });
  });

  test.prop([lists, prefixes, fc.constantFrom('a', 'a/b', 'b')])(
    'GIT-130: is found the same way without reading all refs',
    async (records, hidden, branch) => {
      const open = records.filter(({ name }) => !isHidden(name, hidden));
      expect(await visible(records, hidden, { defaultBranch: branch }).head()).toEqual(resolveHead(open, branch));
    },
  );
});
