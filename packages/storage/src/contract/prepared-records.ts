import { fc, test } from '@fast-check/vitest';
import { RepoGoneError, type PackId, type PreparedRecords } from '@packhouse/git';
import { sampleHead, sampleRepoId, sampleToken } from '@packhouse/hosting/contract';
import { afterEach, describe, expect, it } from 'vitest';
import type { PreparedRecordsOptions } from '../packs/prepared-room.ts';
import type { PackReservations } from '../packs/reservations.ts';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';

const minute = 60_000;
const hour = 60 * minute;
const leftoverAge = 24 * hour;

/** State and records of one repository, which share their storage. */
export interface PreparedRecordsFixture {
  readonly state: MaintainedRepoState;
  readonly reservations: PackReservations;
  records(options: PreparedRecordsOptions): PreparedRecords;
  close(): void | Promise<void>;
}

const someSteps = fc.array(
  fc.record({
    what: fc.constantFrom('make', 'die', 'take', 'drop', 'dropAll', 'sweep'),
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    size: fc.integer({ min: 1, max: 400 }),
    minutes: fc.constantFrom(0, 2, 30, 300),
  }),
  { minLength: 20, maxLength: 60 },
);

async function openWorld(make: (id: string) => PreparedRecordsFixture) {
  const id = sampleRepoId();
  const { state, reservations, records: open } = make(id);
  await state.begin(sampleHead(id), sampleToken('t1'));
  const due: number[] = [];
  let now = 1_000_000_000_000;
  const options = { leftoverAge, due: (at: number) => void due.push(at), now: () => now };
  const records = open(options);
  return {
    records,
    state,
    due,
    now: () => now,
    pass: (time: number) => void (now += time),
    /** Another instance, as after a restart. */
    reopened: () => open(options),
    begun: () => reservations.before(Number.MAX_SAFE_INTEGER),
    async make(key: string, size = 100, room = 1_000): Promise<PackId | undefined> {
      const pack = await records.begin(key, size, room);
      if (pack !== undefined) await records.finish(key, { id: pack, size, objects: 7 }, room);
      return pack;
    },
    /** Removes what the sweep of leftovers would remove. */
    async sweep(): Promise<void> {
      for (const pack of await reservations.before(now - leftoverAge)) await reservations.drop(pack);
    },
  };
}

/** Tests an adapter against the contract of `PreparedRecords`, together with the reservations of the repository. */
export function testPreparedRecords(
  adapter: string,
  make: (id: string) => PreparedRecordsFixture,
  { runs }: { readonly runs?: number } = {},
): void {
  describe(`PreparedRecords: ${adapter}`, () => {
    const opened: PreparedRecordsFixture[] = [];
    const world = () =>
      openWorld((id) => {
        const fixture = make(id);
        opened.push(fixture);
        return fixture;
      });
    afterEach(async () => {
      for (const fixture of opened.splice(0)) await fixture.close();
    });

    it('GIT-187: returns a finished pack by its key, also after a restart', async () => {
      const { records, make, reopened, begun } = await world();
      const pack = await records.begin('a', 100, 1_000);
      expect(await records.take('a', 1_000)).toBeUndefined();
      await records.finish('a', { id: pack as PackId, size: 90, objects: 7 }, 1_000);
      expect(await reopened().take('a', 1_000)).toEqual({ id: pack, objects: 7 });
      expect(await records.take('b', 1_000)).toBeUndefined();
      expect(await make('a')).toBeUndefined();
      expect(await begun()).toEqual([pack]);
    });

    it('makes one pack at a time, and retries a key whose maker died after an hour', async () => {
      const { records, make, pass } = await world();
      await records.begin('a', 100, 1_000);
      expect(await make('b')).toBeUndefined();
      pass(minute);
      expect(await make('b')).toBeDefined();
      expect(await make('a')).toBeUndefined();
      pass(hour);
      expect(await make('a')).toBeDefined();
    });

    it('GIT-127: what was dropped is not returned, also if it was being made, and goes with the sweep an hour later', async () => {
      const { records, make, pass, sweep, begun, due, now } = await world();
      await make('a');
      const making = (await records.begin('b', 100, 1_000)) as PackId;
      await records.drop();
      await records.finish('b', { id: making, size: 100, objects: 7 }, 1_000);
      expect([await records.take('a', 1_000), await records.take('b', 1_000)]).toEqual([undefined, undefined]);
      const at = Math.min(...due);
      pass(hour);
      await sweep();
      expect(await begun()).toHaveLength(2);
      pass(at - now());
      await sweep();
      expect(await begun()).toEqual([]);
    });

    it('drops one pack by its key, which can be made again at once', async () => {
      const { records, make } = await world();
      await make('a');
      const b = await make('b');
      await records.drop('a');
      expect(await records.take('a', 1_000)).toBeUndefined();
      expect(await records.take('b', 1_000)).toEqual({ id: b, objects: 7 });
      expect(await make('a')).toBeDefined();
    });

    it('GIT-153: uses a pack for 12 hours, and the sweep removes it an hour later', async () => {
      const { records, make, pass, sweep, begun } = await world();
      await make('a');
      pass(12 * hour - 1);
      expect(await records.take('a', 1_000)).toBeDefined();
      pass(1);
      expect(await records.take('a', 1_000)).toBeUndefined();
      expect(await make('a')).toBeDefined();
      pass(hour);
      await sweep();
      expect(await begun()).toHaveLength(2);
      pass(1);
      await sweep();
      expect(await begun()).toHaveLength(1);
    });

    it('LIM-071: drops at least half of the room when it is full, of what was not used for the longest time', async () => {
      const { records, make, pass } = await world();
      for (const key of ['a', 'b', 'c', 'd']) {
        await make(key, 250);
        pass(hour / 4);
      }
      const has = async (...keys: string[]) => {
        const found = [];
        for (const key of keys) if ((await records.take(key, 1_000)) !== undefined) found.push(key);
        return found;
      };
      expect(await has('a')).toEqual(['a']);
      pass(1);
      expect(await make('e', 250)).toBeUndefined();
      expect(await has('a', 'b', 'c', 'd', 'e')).toEqual(['a', 'd']);
    });

    it('LIM-071: keeps at most 256 packs, however small', async () => {
      const { make, pass, begun } = await world();
      for (let number = 0; number < 300; number++) {
        await make(`key ${number}`, 1, 256_000);
        pass(1);
      }
      expect(await begun()).toHaveLength(256);
    });

    it('LIM-050: drops what exceeds the room, if that has shrunk since', async () => {
      const { records, make } = await world();
      await make('a', 100);
      expect(await records.take('a', 100)).toBeDefined();
      expect(await records.take('a', 99)).toBeUndefined();
      expect(await records.take('a', 1_000)).toBeUndefined();
    });

    it('REPO-118: a deleted repository begins no pack, and its packs stay begun ones until they were erased', async () => {
      const { records, state, make, begun } = await world();
      const pack = await make('a');
      await state.erase();
      await expect(records.begin('b', 100, 1_000)).rejects.toThrow(RepoGoneError);
      expect(await begun()).toEqual([pack]);
      await state.forget();
      expect(await begun()).toEqual([]);
    });

    test.prop([someSteps], runs === undefined ? {} : { numRuns: runs })(
      'LIM-071: the packs stay within their room, and each is stored for an hour after it was taken',
      async (steps) => {
        const { records, make, pass, sweep, begun, now, due } = await world();
        const sizes = new Map<PackId, number>();
        const taken = new Map<PackId, number>();
        for (const { what, key, size, minutes } of steps) {
          pass(minutes * minute);
          if (what === 'make' || what === 'die') {
            const pack = await (what === 'make' ? make(key, size) : records.begin(key, size, 1_000));
            if (pack !== undefined) sizes.set(pack, size);
          } else if (what === 'take') {
            const found = await records.take(key, 1_000);
            if (found !== undefined) taken.set(found.id, now());
          } else if (what === 'sweep') await sweep();
          else await records.drop(what === 'drop' ? key : undefined);
          const left = await begun();
          expect(left.reduce((sum, pack) => sum + (sizes.get(pack) ?? 0), 0)).toBeLessThanOrEqual(1_000);
          for (const [pack, at] of taken) if (now() - at <= hour) expect(left).toContain(pack);
        }
        // The sweep that was planned last leaves nothing.
        pass(Math.max(now(), ...due) - now());
        await sweep();
        expect(await begun()).toEqual([]);
      },
    );
  });
}
