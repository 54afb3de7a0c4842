import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { createAreas } from '../areas.ts';
import type { Catalog, DeletedRepo, HostedRepo } from '@packhouse/hosting';
import type { TagScope, TagStores } from '@packhouse/tagging';
import { simpleTagStores } from '@packhouse/tagging/contract';

const inAccount: TagScope = { account: 'a1', zone: null };

const id = '0123456789abcdef';
const hour = 3_600_000;
const body = { resource_type: 'repository', resource_id: id, tags: { team: 'core' } };

/** Makes a service with one repo. `step` wraps each call of the catalog and the tag store, to order or break it. */
function world(step: <T>(name: string, run: () => Promise<T>) => Promise<T> = (_, run) => run()) {
  let now = 0;
  let live = true;
  let due: number | null = 0;
  const reported: unknown[] = [];
  const background: Promise<void>[] = [];
  const deleted: DeletedRepo = { id, jurisdiction: 'unrestricted', deletedAt: 0, packs: [] };
  const catalog: Partial<Catalog> = {
    repoById: (asked) =>
      step('find', async () => (live && asked === id ? ({ namespace: 'default', name: 'Notes' } as never) : undefined)),
    deleteRepo: () =>
      step('delete', async () => {
        const kind = live ? 'deleted' : 'remembered';
        live = false;
        return { kind, repo: deleted, erased: false };
      }),
    unsettled: async () => [],
    unfinished: async () => (live ? [{ id } as never] : []),
    dropRepo: async () => {
      live = false;
      return deleted;
    },
    dueErasures: async (at) => (!live && due !== null && due <= at ? [deleted] : []),
    setErasureDue: async (_, at) => void (due = at),
    forgetErased: async () => {},
  };
  const stores = simpleTagStores();
  const tags: TagStores = (account) => {
    const store = stores(account);
    return {
      ...store,
      set: (change) => step('set', () => store.set(change)),
      remove: (resource, ifMatch) => step('remove', () => store.remove(resource, ifMatch)),
    };
  };
  const { hosting, tagging } = createAreas({
    engine: createGitEngine({ codec: nodeCodec() }),
    storage: {
      catalog: () => catalog as Catalog,
      repos: {
        repo: () =>
          ({
            state: { snapshot: async () => undefined, erase: async () => {}, forget: async () => true },
            packs: { leftovers: async () => [], remove: async () => {} },
          }) as unknown as HostedRepo,
        sharePacks: async () => false,
      },
      tags,
    },
    authorize: async () => undefined,
    settings: { accounts: ['a1'] },
    clock: { now: () => now },
    background: (work) => void background.push(work),
    report: (error) => void reported.push(error),
  });
  if (tagging === undefined) throw new Error('no tagging');
  return {
    hosting,
    tagging,
    reported,
    records: () => stores.records('a1'),
    settled: () => Promise.all(background),
    pass: (milliseconds: number) => void (now += milliseconds),
  };
}

describe('the tags of a repo', () => {
  it('TAG-127: are set and read under its id, with its name', async () => {
    const { tagging } = world();
    expect(await tagging.set(inAccount, body, null)).toMatchObject({ type: 'repository', id, name: 'default/Notes' });
    await expect(tagging.set(inAccount, { ...body, resource_id: 'other' }, null)).rejects.toMatchObject({
      code: 10200,
      status: 404,
    });
  });

  it('TAG-127: are removed with it, before the reply to the deletion', async () => {
    const { hosting, tagging, records } = world();
    await tagging.set(inAccount, body, null);
    await hosting.repos.delete('a1', 'default', 'notes');
    expect(records()).toEqual([]);
    expect((await tagging.resources('a1', '')).items).toEqual([]);
  });

  it('TAG-127: are removed when a deletion that could not remove them is repeated', async () => {
    let broken = true;
    const { hosting, tagging, records } = world(async (name, run) => {
      if (name === 'remove' && broken) throw new Error('broken');
      return run();
    });
    await tagging.set(inAccount, body, null);
    await expect(hosting.repos.delete('a1', 'default', 'notes')).rejects.toThrow('broken');
    expect(records()).toHaveLength(1);
    broken = false;
    await hosting.repos.delete('a1', 'default', 'notes');
    expect(records()).toEqual([]);
  });

  it('TAG-127, REPO-133: are removed with a repo whose creation is undone', async () => {
    const { hosting, tagging, records } = world();
    await tagging.set(inAccount, body, null);
    await hosting.sweep('a1', { grace: 0 });
    expect(records()).toEqual([]);
  });

  it('TAG-127, REPO-118: are removed by the second erasure if a set left them and died before its second check', async () => {
    const reach: { delete?: () => Promise<unknown> } = {};
    let looks = 0;
    const { hosting, tagging, records, pass, reported, settled } = world(async (name, run) => {
      if (name === 'set') await reach.delete?.();
      if (name === 'find' && ++looks === 2) throw new Error('died');
      return run();
    });
    reach.delete = async () => {
      await hosting.repos.delete('a1', 'default', 'notes');
      await settled();
    };
    await expect(tagging.set(inAccount, body, null)).rejects.toThrow('died');
    expect(records()).toHaveLength(1);
    pass(23 * hour);
    await hosting.sweep('a1');
    expect([records(), reported]).toEqual([[], []]);
  });

  test.prop([fc.scheduler(), fc.integer({ min: 1, max: 3 })])(
    'TAG-127: are all removed although sets run during the deletion, in any order of their steps',
    async (scheduler, count) => {
      const { hosting, tagging, records } = world((name, run) => scheduler.schedule(Promise.resolve(), name).then(run));
      const sets = Array.from({ length: count }, (_, at) =>
        tagging.set(inAccount, { ...body, tags: { team: `core ${at}` } }, null).catch((error: unknown) => error),
      );
      const deletion = hosting.repos.delete('a1', 'default', 'notes');
      await scheduler.waitFor(Promise.all([deletion, ...sets]));
      for (const outcome of await Promise.all(sets)) {
        expect(outcome).toMatchObject(outcome instanceof Error ? { code: 10200, status: 404 } : { id });
      }
      expect(records()).toEqual([]);
    },
  );
});
