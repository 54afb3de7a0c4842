import {
  readAllRefs,
  type NewPack,
  type ObjectId,
  type PackId,
  type PackReplacement,
  type RefName,
  type RepoChange,
  type RepoSnapshot,
} from '@packhouse/git';
import type { Catalog, NewRepo, Outbound, RepoHead, TokenRecord } from '@packhouse/hosting';
import type { PackHolders } from '@packhouse/storage/workers';
import type { ResourceIdentity, TagChange, TagStore } from '@packhouse/tagging';
import { accountPorts } from '../../src/calls/account-ports.ts';
import { remotePort } from '../../src/calls/remote-port.ts';
import { remoteRepo, type RemoteRepo } from '../../src/calls/repo-ports.ts';
import type { Environment } from '../../src/environment/environment.ts';
import { CatalogObject } from '../../src/objects/catalog-object.ts';
import { RepoObject } from '../../src/objects/repo-object.ts';
import { newUsage } from '../../src/request/usage.ts';
import { workerOutbound } from '../../src/service/worker-outbound.ts';

/** A repository's object that can be made to die. */
class MortalRepoObject extends RepoObject {
  async die(): Promise<void> {
    this.ctx.abort('asked to');
  }

  async tables(): Promise<number> {
    return tablesOf(this.ctx);
  }

  async alarmAt(): Promise<number | null> {
    return this.ctx.storage.getAlarm();
  }
}

/** An account's object that tells how much it keeps. */
class OpenCatalogObject extends CatalogObject {
  async tables(): Promise<number> {
    return tablesOf(this.ctx);
  }
}

/** Counts the tables, except those of the platform. */
function tablesOf(context: DurableObjectState): number {
  const [row] = context.storage.sql.exec(
    "SELECT count(*) AS n FROM sqlite_schema WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'",
  );
  return Number(row?.['n']);
}

export { OpenCatalogObject as CatalogObject, MortalRepoObject as RepoObject };

const head: RepoHead = {
  account: 'a',
  id: '0123456789abcdef',
  namespace: 'n',
  name: 'r',
  defaultBranch: 'main',
  readOnly: false,
  status: 'ready',
};
const token: TokenRecord = {
  id: 't',
  secretHash: '0'.repeat(64),
  scope: 'write',
  createdAt: 0,
  expiresAt: 9e12,
  revokedAt: null,
};

/** The ports and object of a scenario. */
interface Probe {
  readonly state: RemoteRepo['state'];
  readonly reservations: RemoteRepo['reservations'];
  readonly object: MortalRepoObject;
  readonly account: OpenCatalogObject;
  /** Catalog of the account `x`, in that object. */
  readonly catalog: Catalog;
  readonly tags: TagStore;
  readonly holders: PackHolders;
  readonly outbound: Outbound;
  readonly bucket: R2Bucket;
  readonly query: URLSearchParams;
}

const scenarios: Readonly<Record<string, (probe: Probe) => Promise<unknown>>> = {
  /** A repository from its beginning until it is forgotten. */
  async life({ state, object }) {
    const before = [await state.open(token.secretHash), await object.tables()];
    await state.begin(head, token);
    const open = await state.open(token.secretHash);
    await state.erase();
    const erased = await state.open(token.secretHash);
    await state.forget();
    const after = [await state.open(token.secretHash), await object.tables()];
    await state.begin(head, token);
    return { before, open: open.kind, erased, after, again: (await state.open(token.secretHash)).kind };
  },

  /**
   * Requests to a port of this machine: with an address that was checked, of a name that leads elsewhere by now, and
   * without.
   */
  async reach({ outbound, query }) {
    const reached = async (addresses?: readonly string[]): Promise<string> => {
      const reply = await outbound.fetch(new Request(`http://127.0.0.1:${query.get('port')}`), addresses);
      return reply.text();
    };
    const checked = await reached(['93.184.216.34']).catch(() => 'refused');
    return { checked, exempt: await reached() };
  },

  /** Questions about an account that does not exist. */
  async stranger({ account, catalog, tags }) {
    const answers = [
      await catalog.repo('n', 'r'),
      await catalog.namespaces({ limit: 10 }),
      await catalog.storedBytes(),
      await catalog.deleteNamespace('n', 1),
      await catalog.deleteRepo('n', 'r', 1, 0),
    ];
    const ofTags = [
      (await tags.record(worker)) ?? null,
      await tags.remove(worker, null),
      await tags.remove(worker, '*'),
      await tags.keys({ limit: 1 }),
      await tags.resources(everything, { limit: 1 }),
    ];
    await tags.rename(worker, 'w');
    const before = await account.tables();
    await catalog.createNamespace('n', 'unrestricted', 1);
    return {
      answers,
      ofTags,
      before,
      after: (await account.tables()) > 0,
      found: (await catalog.namespace('n'))?.name,
    };
  },

  /** Keys and values that lose something where a value is not passed on as it is. */
  async oddTags({ tags }) {
    const odd = Object.fromEntries([
      ['__proto__', '\uFEFF'],
      ['constructor', '\uFEFFx'],
      ['10', ''],
      ['9', ' \n'],
      ['\u{10400}', '\u{1F600}'],
    ]);
    const outcome = await tags.set(changeOf(worker, odd));
    const set = outcome.kind === 'set' ? outcome.record : undefined;
    const read = await tags.record(worker);
    const { items } = await tags.resources(everything, { limit: 1 });
    const entries = [set, read, ...items].map((record) => Object.entries(record?.tags ?? {}).toSorted());
    const keys = (await tags.keys({ limit: 10 })).items;
    const values = await Promise.all(keys.map((key) => tags.values(key, 'worker', { limit: 10 })));
    return {
      same: entries.map((one) => JSON.stringify(one) === JSON.stringify(Object.entries(odd).toSorted())),
      times: [set?.updatedAt, read?.updatedAt],
      keys,
      values: values.map((part) => part.items),
      summary: (await tags.summary({ limit: 10 })).items.map(({ key, values: of }) => [key, ...of]),
    };
  },

  /** More tags of one resource than one message may hold, there and back. */
  async manyTags({ tags }) {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [`key-${i}`, `${i}`.padEnd(1_000, '\u74B0')]),
    );
    const outcome = await tags.set(changeOf(worker, many));
    const read = await tags.record(worker);
    const { items } = await tags.resources(everything, { limit: 100 });
    const same = (given: object | undefined): boolean => {
      const found = new Map(Object.entries(given ?? {}));
      return found.size === 10_000 && Object.entries(many).every(([key, value]) => found.get(key) === value);
    };
    return { kind: outcome.kind, read: same(read?.tags), listed: items.map((record) => same(record.tags)) };
  },

  /** A creation that stopped half-way, of a repo that has tags. */
  async sweptTags({ catalog, tags }) {
    const repo = { ...worker, type: 'repository', id: head.id };
    await tags.set(changeOf(repo, { a: 'b' }));
    await tags.set(changeOf(worker, { a: 'b' }));
    const createdAt = Date.now() - 3_600_000;
    await catalog.createNamespace('n', 'unrestricted', createdAt);
    const half = {
      namespace: 'n',
      name: 'r',
      description: null,
      defaultBranch: 'main',
      readOnly: false,
      source: null,
      parentId: null,
      rootId: null,
    };
    await catalog.reserveRepo({ ...half, id: head.id, status: 'creating', createdAt }, token);
    for (let looked = 0; looked < 200; looked++) {
      if ((await tags.record(repo)) === undefined) break;
      await scheduler.wait(25);
    }
    return [(await tags.record(repo)) ?? null, (await tags.record(worker))?.tags];
  },

  /** More refs than one message may hold. */
  async manyRefs({ state }) {
    await state.begin(head, token);
    for (let from = 0; from < 70_000; from += 10_000) await state.commit(change(from, 10_000));
    const snapshot = (await state.snapshot()) as RepoSnapshot;
    const answers: number[] = [];
    const counted = new Proxy(state, {
      get: (target, name) => {
        if (name !== 'refs') return Reflect.get(target, name) as unknown;
        return async (...asked: Parameters<typeof state.refs>) => {
          const page = await target.refs(...asked);
          if (answers.length === 0) await state.commit(change(70_000, 1));
          answers.push(page?.chunks.reduce((sum, { names, oids }) => sum + names.length + oids.length, 0) ?? 0);
          return page;
        };
      },
    });
    const refs = await readAllRefs(counted, snapshot);
    return {
      refs: refs.length,
      sorted: refs.every(({ name }, i) => i === 0 || name > (refs[i - 1]?.name ?? '')),
      last: refs.at(-1),
      largest: Math.max(...answers),
      few: snapshot.refs ?? null,
    };
  },

  /** Pushes that lean on packs which are merged, and then collected. */
  async leaning({ state }) {
    await state.begin(head, token);
    const files = { pack: Uint8Array.of(1), idx: Uint8Array.of(2), graph: Uint8Array.of(3) };
    const small = (number: number): NewPack => ({ ...storedPack(number), where: 'rows', files });
    const push = async (number: number, ...leansOn: readonly NewPack[]): Promise<string> => {
      const made = { ...change(number, 1), addPacks: [small(number)], leansOn: leansOn.map(({ id }) => id) };
      return (await state.commit(made)).kind;
    };
    const [one, two, three] = [small(1), small(2), small(3)];
    const answers = [await push(1), await push(2, one)];
    const add = { ...small(10), at: 5 };
    const remove = [one.id, two.id];
    await state.replacePacks({ id: 'r1', at: 7, remove, add, leavesOut: false, ifVersion: undefined });
    answers.push(await push(3, one, two), await push(4, add, three));
    const last = { id: 'r2', at: 7, remove: [add.id], add: { ...small(11), at: 5 }, leavesOut: true, ifVersion: 6 };
    await state.replacePacks(last);
    answers.push(await push(5, one), await push(6, add), await push(7, last.add, three));
    return answers;
  },

  /** Two packs in rows become one in the store. */
  async replacing({ state, reservations }) {
    await state.begin(head, token);
    const files = { pack: Uint8Array.of(1), idx: Uint8Array.of(2), graph: Uint8Array.of(3) };
    const small = (number: number): NewPack => ({ ...storedPack(number), where: 'rows', after: number - 1, files });
    await state.commit({ ...change(0, 1), addPacks: [{ ...small(1), exact: true }] });
    await state.commit({ ...change(1, 1), addPacks: [small(2)] });
    const before = await state.storedBytes();
    const remove = [small(1).id, small(2).id];
    const replacement = { id: 'r1', at: 7, remove, add: { ...storedPack(3), at: 5 }, leavesOut: true, ifVersion: 3 };
    const replace = (given: PackReplacement): Promise<string> =>
      state.replacePacks(given).catch((error: Error) => error.message);
    const late = await replace(replacement);
    await reservations.reserve([replacement.add.id], Date.now());
    const changed = await replace({ ...replacement, ifVersion: 2 });
    const outcomes = [
      await replace(replacement),
      await replace(replacement),
      await replace({ ...replacement, id: 'r2', add: { ...small(4), at: 1 } }),
    ];
    const retired = await state.retiredPacks();
    const rows = (await state.rowFiles(remove, ['pack'])).map(({ id }) => Number(id));
    await state.forgetPacks(remove);
    return {
      late,
      changed,
      outcomes,
      bytes: [before, await state.storedBytes()],
      packs: (await state.snapshot())?.packs,
      retired,
      rows,
      forgotten: [await state.retiredPacks(), (await state.rowFiles(remove, ['pack'])).length],
      left: await reservations.before(9e15),
    };
  },

  /** More values that refs left than one message may hold. */
  async manyTips({ state }) {
    await state.begin(head, token);
    const count = 1_200;
    const made = change(0, count);
    const updates = made.updates.map((update) => ({ ...update, name: update.name.padEnd(8_000, 'x') as RefName }));
    await state.commit({ ...made, updates });
    const deleted = updates.map((update) => ({ ...update, old: update.new?.oid ?? null, new: null }));
    await state.commit({ ...made, pushId: 'deletion', updates: deleted });
    const tips = await state.retiredTips();
    const shown = (await state.snapshot())?.retiredTips ?? [];
    await state.forgetTips(9e15);
    return {
      tips: tips.length,
      sorted: tips.every(({ name }, i) => name === updates[i]?.name),
      shown: shown.length,
      same: JSON.stringify(shown) === JSON.stringify(tips.slice(0, shown.length)),
      forgotten: (await state.retiredTips()).length,
    };
  },

  /** The object dies between a snapshot and the commit that rests on it. */
  async eviction({ state, object }) {
    await state.begin(head, token);
    const snapshot = await state.snapshot();
    const died = await object.die().then(
      () => false,
      (error: { readonly durableObjectReset?: boolean }) => error.durableObjectReset === true,
    );
    const outcome = await state.commit(change(0, 1));
    return { died, version: snapshot?.version, outcome, known: await state.outcome('push-0') };
  },

  /** Runs the alarms after a push until no alarm is set. */
  async alarms({ state, object }) {
    await state.begin(head, token);
    await state.commit({ ...change(0, 1), at: Date.now() - 3_600_000 });
    const planned = await object.alarmAt();
    for (let looked = 0; looked < 200; looked++) {
      if ((await object.alarmAt()) === null) return { planned: planned !== null, left: false };
      await scheduler.wait(25);
    }
    return { planned: planned !== null, left: true };
  },

  /** A fork and then its parent are deleted, a day ago: the account's own alarm lets go of what they shared. */
  async deletedFork({ catalog, holders, bucket }) {
    const pack = storedPack(1).id;
    const key = `x/${pack}.pack`;
    const [parent, fork] = ['parent0123456789', 'fork012345678901'];
    await bucket.put(key, 'bytes');
    await catalog.createNamespace('n', 'unrestricted', 1);
    await holders.hold([pack], [parent, fork], 1);
    const seen: unknown[] = [];
    for (const id of [fork, parent]) {
      const record = {
        namespace: 'n',
        name: id,
        description: null,
        defaultBranch: 'main',
        source: null,
        parentId: null,
        rootId: null,
      } as const;
      const at = Date.now() - 86_400_000;
      const repo: NewRepo = { ...record, id, readOnly: false, status: 'ready', createdAt: at };
      await catalog.reserveRepo(repo, { id: `token of ${id}`, createdAt: at, expiresAt: 9e12 });
      await catalog.deleteRepo('n', id, at, 0);
      for (let looked = 0; looked < 200 && (await holders.held(id, 9e15)).length > 0; looked++) {
        await scheduler.wait(25);
      }
      const held = [parent, fork].map(async (one) => (await holders.held(one, 9e15)).length);
      seen.push({ held: await Promise.all(held), stored: (await bucket.head(key)) !== null });
    }
    return seen;
  },

  /** Pushes whose uploads the sweeper may have taken, and one whose uploads it has not. */
  async lateUploads({ state, reservations }) {
    await state.begin(head, token);
    const day = 86_400_000;
    const answers: string[] = [];
    for (const [number, age] of [undefined, day, day - 60_000].entries()) {
      const pack = storedPack(number);
      if (age !== undefined) await reservations.reserve([pack.id], Date.now() - age - 1);
      const push = { ...change(number, 1), addPacks: [pack] };
      const commit = (): Promise<string> =>
        state.commit(push).then(
          ({ kind }) => kind,
          (error: Error) => error.message,
        );
      answers.push(await commit(), await commit());
    }
    return { answers, packs: (await state.snapshot())?.packs.length };
  },
};

const worker: ResourceIdentity = { type: 'worker', zone: null, parent: null, id: 'w' };
const everything = { types: [], ids: [], name: '', filters: [], caseInsensitive: false } as const;

function changeOf(resource: ResourceIdentity, tags: TagChange['tags']): TagChange {
  return { resource, name: 'w', tags, ifMatch: null, at: 1_000, accountMax: 100_000, resourceMax: null };
}

function storedPack(number: number): NewPack {
  const id = String(number).padStart(32, '0') as PackId;
  return {
    id,
    where: 'store',
    objects: 1,
    packSize: 1,
    idxSize: 1,
    graphSize: 1,
    exact: false,
    after: 0,
    borrowed: 'no',
  };
}

function change(from: number, count: number): RepoChange {
  return {
    pushId: `push-${from}`,
    at: Date.now(),
    updates: Array.from({ length: count }, (_, i) => ({
      name: `refs/heads/${String(from + i).padStart(8, '0')}` as RefName,
      old: null,
      new: { oid: '1'.repeat(40) as ObjectId, kind: 'commit', peeled: null },
      forward: true,
    })),
    atomic: false,
    addPacks: [],
    leansOn: [],
    addShallow: [],
  };
}

/** Runs the scenario that the path names, on a new repository. */
export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    const { pathname, searchParams: query } = new URL(request.url);
    const name = pathname.slice(1);
    const stub = () => environment.REPOS.getByName(name);
    const usage = newUsage();
    const { state, reservations } = remoteRepo({ place: { id: head.id, jurisdiction: 'unrestricted' }, usage, stub });
    const object = stub() as unknown as MortalRepoObject;
    const account = environment.CATALOGS.getByName(name) as unknown as OpenCatalogObject;
    const ofAccount = { place: 'x', usage, stub: () => environment.CATALOGS.getByName(name) };
    return Response.json(
      (await scenarios[name]?.({
        state,
        reservations,
        object,
        account,
        catalog: remotePort(accountPorts, 'catalog', ofAccount),
        tags: remotePort(accountPorts, 'tags', ofAccount),
        holders: remotePort(accountPorts, 'holders', ofAccount),
        outbound: workerOutbound(environment),
        bucket: environment.PACKS as R2Bucket,
        query,
      })) ?? null,
    );
  },
};
