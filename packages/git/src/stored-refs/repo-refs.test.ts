import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { RefPage, RefQuery } from '../ports/ref-query.ts';
import type { RepoSnapshot, RepoState } from '../ports/repo-state.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import { createGitEngine, type GitEngine } from '../engine/engine.ts';
import { byName, packed, RefVersions } from '../refs/made-refs.test.util.ts';
import { recordsOf, type RefSlice } from '../refs/packed-refs.ts';
import type { RefName } from '../refs/ref-name.ts';
import { RefsExpiredError, RepoRefs } from './repo-refs.ts';

const nameOf = (number: number): RefName => `refs/heads/${String(number).padStart(6, '0')}` as RefName;
const oidOf = (number: number): ObjectId => number.toString(16).padStart(40, '0') as ObjectId;
const refOf = (name: number, value: number): RefRecord => ({
  name: nameOf(name),
  oid: oidOf(value),
  kind: value % 3 === 0 ? 'tag' : 'commit',
  peeled: value % 3 === 0 ? oidOf(value + 1) : null,
});

/** A repository whose refs are set by tests, and which counts what is asked of it. */
class Asked {
  readonly engine: GitEngine;
  readonly versions: RefVersions = new RefVersions();
  readonly queries: RefQuery['kind'][] = [];
  version = 0;
  /** Versions before this one can no longer be read. */
  oldest = 0;
  /** Called before each answer. */
  before: () => Promise<void> = async () => {};

  constructor(cache?: number) {
    this.engine = createGitEngine({ codec: nodeCodec(), ...(cache === undefined ? {} : { cache }) });
  }

  set(records: readonly RefRecord[]): void {
    this.versions.note(++this.version, records);
  }

  get snapshot(): RepoSnapshot {
    const { version } = this;
    return { version, refs: undefined, packs: [], shallow: [], defaultBranch: 'main', retiredTips: [] };
  }

  refs(snapshot: RepoSnapshot = this.snapshot): RepoRefs {
    const state = { refs: (version, query) => this.#read(version, query) } as RepoState;
    return new RepoRefs(this.engine, { id: 'a', state, packs: {} as never }, snapshot, this.engine.scheduler.begin());
  }

  async #read(version: number, query: RefQuery): Promise<RefPage | undefined> {
    await this.before();
    this.queries.push(query.kind);
    const isOld = version < this.oldest || (query.kind === 'changed' && query.since < this.oldest);
    return isOld ? undefined : this.versions.read(version, query);
  }
}

async function all(slices: AsyncIterable<RefSlice>): Promise<readonly RefRecord[]> {
  const records: RefRecord[] = [];
  for await (const slice of slices) records.push(...recordsOf(slice));
  return records;
}

const states = fc.array(fc.dictionary(fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8', '9'), fc.nat(5)), {
  minLength: 1,
  maxLength: 6,
});
const recordsOfState = (state: Record<string, number>): readonly RefRecord[] =>
  Object.entries(state)
    .map(([name, value]) => refOf(Number(name), value))
    .sort(byName);

describe('RepoRefs', () => {
  test.prop([states, fc.array(fc.record({ version: fc.nat(), commits: fc.nat(2) }), { maxLength: 8 })])(
    'GIT-156: reads the refs of one version during any number of commits',
    async (made, requests) => {
      const asked = new Asked();
      const snapshots: RepoSnapshot[] = [];
      const left = made.map(recordsOfState);
      const commit = (): void => {
        const next = left.shift();
        if (next === undefined) return;
        asked.set(next);
        snapshots.push(asked.snapshot);
      };
      commit();
      for (const { version, commits } of requests) {
        const snapshot = snapshots[version % snapshots.length] as RepoSnapshot;
        const expected = asked.versions.at(snapshot.version);
        let due = commits;
        asked.before = async () => {
          if (due-- > 0) commit();
        };
        const refs = asked.refs(snapshot);
        expect(await all(refs.below(''))).toEqual(expected);
        expect(await all(refs.below(nameOf(1)))).toEqual(expected.filter(({ name }) => name === nameOf(1)));
        expect([...(await refs.find([nameOf(2), nameOf(3)])).values()].sort(byName)).toEqual(
          expected.filter(({ name }) => name === nameOf(2) || name === nameOf(3)),
        );
        expect(await refs.any(nameOf(4))).toBe(expected.some(({ name }) => name === nameOf(4)));
        expect(new Set((await refs.pointing([oidOf(2)])).map(({ name }) => name))).toEqual(
          new Set(expected.filter(({ oid }) => oid === oidOf(2)).map(({ name }) => name)),
        );
      }
    },
  );

  it('loads all refs once, and later only what has changed', async () => {
    const asked = new Asked();
    const records = Array.from({ length: 10 }, (_, i) => refOf(i, i));
    asked.set(records);
    await all(asked.refs().below(''));
    expect(asked.queries).toEqual(['below', 'below', 'below', 'below']);
    asked.queries.length = 0;
    await all(asked.refs().below(''));
    await asked.refs().find([nameOf(1)]);
    expect(asked.queries).toEqual([]);
    const changed = records.map((one, i) => (i === 4 ? refOf(4, 40) : one));
    asked.set(changed);
    expect(await all(asked.refs().below(''))).toEqual(changed);
    expect(asked.queries).toEqual(['changed']);
  });

  it('goes on from where another request that loads all refs has got to', async () => {
    const asked = new Asked();
    const records = Array.from({ length: 30 }, (_, i) => refOf(i, i));
    asked.set(records);
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    let calls = 0;
    asked.before = async () => (++calls === 5 ? gate : undefined);
    const slow = all(asked.refs().below(''));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(await all(asked.refs().below(''))).toEqual(records);
    expect(asked.queries).toHaveLength(10);
    release();
    expect(await slow).toEqual(records);
    expect(asked.queries).toHaveLength(11);
  });

  it('reads part by part, and keeps nothing, where all refs take too much memory', async () => {
    const asked = new Asked(4_000);
    const records = Array.from({ length: 30 }, (_, i) => refOf(i, i));
    asked.set(records);
    expect(await all(asked.refs().below(''))).toEqual(records);
    expect(await asked.refs().list()).toBeUndefined();
    expect(asked.engine.refLists.get('a')?.list.chunks).toEqual([]);
  });

  it('asks nothing where the snapshot brought the refs with it', async () => {
    const asked = new Asked();
    const records = [refOf(1, 1), refOf(2, 3)];
    asked.set(records);
    const refs = asked.refs({ ...asked.snapshot, refs: packed(records) });
    expect(await all(refs.below(''))).toEqual(records);
    expect((await refs.find([nameOf(2)])).get(nameOf(2))).toEqual(records[1]);
    expect(await refs.pointing([oidOf(3), oidOf(9)])).toEqual([records[1]]);
    expect(asked.queries).toEqual([]);
  });

  it('GIT-156: throws, and mixes no versions, once its version is too old', async () => {
    const asked = new Asked();
    asked.set([refOf(1, 1), refOf(2, 1), refOf(3, 1), refOf(4, 1)]);
    const old = asked.refs();
    asked.before = async () => {
      if (asked.queries.length === 1) asked.oldest = 2;
    };
    await expect(all(old.below(''))).rejects.toThrow(RefsExpiredError);
    await expect(old.find([nameOf(1)])).rejects.toThrow(RefsExpiredError);
    asked.set([refOf(9, 9)]);
    expect(await all(asked.refs().below(''))).toEqual([refOf(9, 9)]);
  });

  it('asks for few refs where few start with a prefix, and for all where there are many', async () => {
    const asked = new Asked();
    asked.set(Array.from({ length: 30 }, (_, i) => refOf(i, i)));
    expect(await all(asked.refs().below(nameOf(7)))).toEqual([refOf(7, 7)]);
    expect(asked.queries).toEqual(['below']);
    expect(await all(asked.refs().below('refs/heads/'))).toHaveLength(30);
    asked.queries.length = 0;
    expect(await all(asked.refs().below('refs/heads/'))).toHaveLength(30);
    expect(asked.queries).toEqual([]);
  });
});
