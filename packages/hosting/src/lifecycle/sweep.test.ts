import { parsePackId, type PackId, type PackStore } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import type { Context } from '../internal/context.ts';
import type { Catalog, DeletedRepo } from '../ports/catalog.ts';
import type { HostedRepoState } from '../ports/repo-storage.ts';
import { sweep } from './sweep.ts';

const hour = 3_600_000;
const packId = (digit: string): PackId => parsePackId(digit.repeat(32)) as PackId;

/** A catalog and storage that hold deleted and unfinished repos alone. `stuck`: packs that cannot be removed. */
function world(deleted: readonly string[], { stuck = [] as readonly PackId[], broken = [] as readonly string[] } = {}) {
  let now = 0;
  const due = new Map<string, number | null>(deleted.map((id) => [id, 0]));
  const packs = new Map<string, PackId[]>(deleted.map((id) => [id, [packId('a'), packId('b')]]));
  const [unfinished, tombstones, waiting] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [reported, forgotten, asked]: [unknown[], number[], number[]] = [[], [], []];
  const failing = new Set<string>();
  const may = (method: string): void => {
    if (failing.has(method)) throw new Error(method);
  };
  const deletedRepo = (id: string): DeletedRepo => ({ id, jurisdiction: 'unrestricted', deletedAt: 0, packs: [] });
  const catalog: Partial<Catalog> = {
    unfinished: async (before) => {
      may('unfinished');
      asked.push(before);
      return [...unfinished].map((id) => ({ id }) as never);
    },
    unsettled: async () => [],
    dropRepo: async (id) => {
      if (broken.includes(id)) throw new Error(`drop ${id}`);
      return unfinished.delete(id) ? deletedRepo(id) : undefined;
    },
    dueErasures: async (at) => {
      may('dueErasures');
      const ids = [...due]
        .filter(([, time]) => time !== null && time <= at)
        .toSorted((a, b) => Number(a[1]) - Number(b[1]));
      return ids.slice(0, 100).map(([id]) => deletedRepo(id));
    },
    notePacks: async () => {},
    setErasureDue: async (id, time) => void due.set(id, time),
    forgetErased: async (before) => void forgotten.push(before),
  };
  const context = {
    catalog: () => catalog as Catalog,
    storage: {
      repo: (_: string, id: string) => ({
        state: {
          snapshot: async () => ({ packs: [] }),
          erase: async () => {
            if (broken.includes(id)) throw new Error(`erase ${id}`);
            tombstones.add(id);
          },
          forget: async () => {
            if (!waiting.has(id)) tombstones.delete(id);
            return !waiting.has(id);
          },
        } as unknown as HostedRepoState,
        packs: {
          leftovers: async () => packs.get(id) ?? [],
          remove: async (pack: PackId) => {
            if (stuck.includes(pack) && id.startsWith('stuck')) throw new Error(`remove ${id}`);
            packs.set(
              id,
              (packs.get(id) ?? []).filter((one) => one !== pack),
            );
          },
        } as unknown as PackStore,
      }),
    },
    clock: { now: () => now },
    settings: { delete_memory: 600 },
    report: (error: unknown) => void reported.push(error),
  } as unknown as Context;
  return {
    context,
    due,
    packs,
    unfinished,
    tombstones,
    waiting,
    reported,
    forgotten,
    asked,
    failing,
    pass: (time: number) => void (now += time),
  };
}

describe('sweep', () => {
  it('REPO-118, GIT-153: a pack that cannot be removed keeps nothing else from being erased, and is reported', async () => {
    const { context, packs, reported, forgotten } = world(['stuck', 'other'], { stuck: [packId('a')] });
    await sweep(context, 'a1');
    expect([packs.get('stuck'), packs.get('other')]).toEqual([[packId('a')], []]);
    expect(reported).toEqual([new Error('remove stuck')]);
    expect(forgotten).toHaveLength(1);
  });

  it('REPO-118: more repos than are listed at once, none of which can be erased, do not stand before others for ever', async () => {
    const ids = Array.from({ length: 120 }, (_, i) => `stuck${i}`);
    const { context, packs, due, pass } = world([...ids, 'other'], { stuck: [packId('a')] });
    for (let round = 0; round < 2; round++) {
      await sweep(context, 'a1');
      pass(30_000);
    }
    expect(packs.get('other')).toEqual([]);
    // They are tried again, and the second erasure is not forgotten.
    pass(hour);
    packs.set('stuck0', []);
    await sweep(context, 'a1');
    expect(due.get('stuck0')).toBe(23 * hour);
    expect(due.get('stuck1')).not.toBeNull();
  });

  it('REPO-116: a repo whose refs could not be erased stays due, so that a repeated DELETE erases them', async () => {
    const { context, due, packs, reported } = world(['broken', 'other'], { broken: ['broken'] });
    await sweep(context, 'a1');
    expect([due.get('broken'), packs.get('other')]).toEqual([0, []]);
    expect(reported).toEqual([new Error('erase broken')]);
  });

  it('REPO-118: nothing is left of a repo after the second erasure', async () => {
    const { context, due, tombstones, pass } = world(['r1']);
    await sweep(context, 'a1');
    expect([...tombstones]).toEqual(['r1']);
    pass(23 * hour);
    await sweep(context, 'a1');
    expect([due.get('r1'), ...tombstones]).toEqual([null]);
  });

  it('REPO-190: a repo of which events wait is forgotten once they were delivered', async () => {
    const { context, due, tombstones, waiting, pass } = world(['r1']);
    waiting.add('r1');
    await sweep(context, 'a1');
    pass(23 * hour);
    await sweep(context, 'a1');
    expect([due.get('r1'), ...tombstones]).toEqual([24 * hour, 'r1']);
    waiting.clear();
    pass(hour);
    await sweep(context, 'a1');
    expect([due.get('r1'), ...tombstones]).toEqual([null]);
  });

  it('REPO-133: a creation that cannot be undone keeps neither others nor erasures waiting', async () => {
    const { context, packs, unfinished, reported } = world(['other'], { broken: ['u1'] });
    for (const id of ['u1', 'u2']) unfinished.add(id);
    await sweep(context, 'a1');
    expect([...unfinished]).toEqual(['u1']);
    expect(packs.get('other')).toEqual([]);
    expect(reported).toEqual([new Error('drop u1')]);
  });

  it('REPO-133: undoes nothing that is under way here, however late its signs of life come', async () => {
    const { context, unfinished } = world([]);
    for (const id of ['u1', 'u2']) unfinished.add(id);
    await sweep(context, 'a1', { isAlive: (id) => id === 'u1' });
    expect([...unfinished]).toEqual(['u1']);
  });

  it('REPO-133: knows at the start that no work runs, even if the clock was set back', async () => {
    const { context, asked } = world([]);
    await sweep(context, 'a1', { grace: 0 });
    await sweep(context, 'a1');
    expect(asked).toEqual([Number.MAX_SAFE_INTEGER, -29_999]);
  });

  it('reports a catalog that does not answer, and does not reject', async () => {
    const { context, packs, reported, failing, forgotten } = world(['other']);
    failing.add('unfinished');
    await sweep(context, 'a1');
    expect(packs.get('other')).toEqual([]);
    failing.add('dueErasures');
    await sweep(context, 'a1');
    expect(reported).toEqual(['unfinished', 'unfinished', 'dueErasures'].map((text) => new Error(text)));
    expect(forgotten).toHaveLength(2);
  });
});
