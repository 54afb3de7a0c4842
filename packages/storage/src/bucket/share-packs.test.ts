import type { PackId } from '@packhouse/git';
import type { RepoStorage } from '@packhouse/hosting';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bucketStorage } from '../contract/bucket-storage.ts';
import { SharingRepo } from '@packhouse/hosting/contract';
import { StrictBucket, strictSizedStream } from '../testing/strict-bucket.ts';
import { repoStateMigrations } from '../sql/repo-state/schema.ts';
import { sqlPackReservations } from '../sql/repo-state/reservations.ts';
import { sqlRepoState } from '../sql/repo-state/repo-state.ts';
import { memoryPackHolders } from '../packs/holders.ts';
import { migrate } from '@packhouse/base';
import { openNodeSqlite, type NodeSqlite } from '@packhouse/base/node-sqlite';

/** Runs two parties call by call in a given order. When one has ended, the other runs freely. */
class Turns {
  #order: string[];
  #ended = new Set<string>();
  #waiting: (() => void)[] = [];

  constructor(order: readonly string[]) {
    this.#order = [...order];
  }

  /** Wraps a port so that each call is one turn. */
  port<Port extends object>(who: string, port: Port): Port {
    return new Proxy(port, {
      get: (_, name) => {
        const found: unknown = Reflect.get(port, name, port);
        if (typeof found !== 'function') return found;
        return async (...given: unknown[]): Promise<unknown> => {
          while (!this.#isTurnOf(who)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
          try {
            return await (found.apply(port, given) as unknown);
          } finally {
            this.#order.shift();
            this.#wake();
          }
        };
      },
    });
  }

  end(who: string): void {
    this.#ended.add(who);
    this.#wake();
  }

  #isTurnOf(who: string): boolean {
    while (this.#order[0] !== undefined && this.#ended.has(this.#order[0])) this.#order.shift();
    return this.#order[0] === undefined || this.#order[0] === who;
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Returns every order of the given numbers of turns. */
function orders(forks: number, others: number): string[][] {
  if (forks === 0 || others === 0) {
    return [[...Array.from({ length: forks }, () => 'fork'), ...Array.from({ length: others }, () => 'other')]];
  }
  return [
    ...orders(forks - 1, others).map((rest) => ['fork', ...rest]),
    ...orders(forks, others - 1).map((rest) => ['other', ...rest]),
  ];
}

describe('packs of a bucket that are shared during another operation', () => {
  let database: NodeSqlite;
  let bucket: StrictBucket;
  let holders: ReturnType<typeof memoryPackHolders>;
  let turns: Turns;
  let parent: SharingRepo;
  let child: SharingRepo;
  let packs: readonly PackId[];

  const storageOf = (who: string | undefined): RepoStorage => {
    const inTurn = <Port extends object>(port: Port): Port => (who === undefined ? port : turns.port(who, port));
    return bucketStorage(
      (id) => ({
        state: inTurn(sqlRepoState(database, id)),
        reservations: inTurn(sqlPackReservations(database, id)),
      }),
      { bucket: inTurn(bucket), holders: inTurn(holders), openStream: strictSizedStream },
    );
  };

  beforeEach(() => {
    database = openNodeSqlite(':memory:');
    migrate(database, 'repo-state', repoStateMigrations);
    bucket = new StrictBucket();
    holders = memoryPackHolders();
  });
  afterEach(() => database.close());

  async function beginBoth(): Promise<void> {
    const begun = async (): Promise<SharingRepo> => new SharingRepo(() => storageOf(undefined), 'a1').begin();
    [parent, child] = [await begun(), await begun()];
    packs = [await parent.push()];
  }

  /** Opens the same repository for one party. */
  const asSeenBy = (who: string, { place }: SharingRepo): SharingRepo =>
    new SharingRepo(() => storageOf(who), 'a1', place);

  /** Forks and runs `other` in this order of turns. Returns true if there is a fork then. */
  async function inOrder(order: readonly string[], other: (parent: SharingRepo, child: SharingRepo) => Promise<void>) {
    turns = new Turns(order);
    const forking = async (): Promise<boolean> => {
      const [from, to] = [asSeenBy('fork', parent), asSeenBy('fork', child)];
      try {
        if (!(await from.share(to, packs))) return false;
        await to.commit(packs, 'whole');
        return true;
      } catch {
        return false;
      } finally {
        turns.end('fork');
      }
    };
    const others = other(asSeenBy('other', parent), asSeenBy('other', child)).finally(() => turns.end('other'));
    const [isForked] = await Promise.all([forking(), others]);
    return isForked;
  }

  async function expectNothingLeft(): Promise<void> {
    for (let times = 0; times < 2; times++) for (const repo of [parent, child]) await repo.erase();
    expect(bucket.keys).toEqual([]);
    for (const { place } of [parent, child]) expect(await holders.held(place.id, Infinity)).toEqual([]);
  }

  const everyOrder = orders(4, 5);

  it('tries the expected number of orders', () => {
    expect(everyOrder).toHaveLength(126);
  });

  it.each([
    ['maintenance of the parent removes them', (one: SharingRepo, pack: PackId) => one.retire(pack)],
    ['the parent is deleted', (one: SharingRepo) => one.erase()],
  ] as const)('REPO-123: are whole in the fork, or refused, when %s at any moment', async (_, other) => {
    let forked = 0;
    for (const order of everyOrder) {
      await beginBoth();
      const [pack] = packs;
      const isForked = await inOrder(order, async (from) => {
        if (pack !== undefined) await other(from, pack);
      });
      if (isForked) expect(await child.unreadable(packs)).toEqual([]);
      forked += isForked ? 1 : 0;
      await child.sweep();
      if (isForked) expect(await child.unreadable(packs)).toEqual([]);
      await expectNothingLeft();
    }
    expect(forked).toBeGreaterThan(10);
    expect(forked).toBeLessThan(everyOrder.length - 10);
  });

  it('REPO-123: are whole in the parent, and nowhere else, if the fork is undone at any time', async () => {
    for (const order of everyOrder) {
      await beginBoth();
      await inOrder(order, (_, to) => to.erase());
      expect(await parent.unreadable(packs)).toEqual([]);
      await child.erase();
      expect(await parent.unreadable(packs)).toEqual([]);
      await parent.sweep();
      expect(await parent.unreadable(packs)).toEqual([]);
      await expectNothingLeft();
    }
  });

  it('are first held in both repositories, then begun in the fork, and then checked in the parent', async () => {
    await beginBoth();
    const calls: string[] = [];
    const noting = <Port extends object>(port: Port): Port =>
      new Proxy(port, {
        get: (_, name) => {
          const found: unknown = Reflect.get(port, name, port);
          if (typeof found !== 'function') return found;
          return (...given: unknown[]): unknown => {
            calls.push(String(name));
            return found.apply(port, given) as unknown;
          };
        },
      });
    const storage = bucketStorage(
      (id) => ({
        state: noting(sqlRepoState(database, id)),
        reservations: noting(sqlPackReservations(database, id)),
      }),
      { bucket: noting(bucket), holders: noting(holders), openStream: strictSizedStream },
    );
    expect(await storage.sharePacks('a1', parent.place, child.place, packs)).toBe(true);
    expect(calls).toEqual(['hold', 'reserve', 'hasStored']);
  });
});
