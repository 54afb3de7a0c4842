import type { PackId } from '@packhouse/git';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackHolders } from '../packs/holders.ts';
import { samplePackId } from '@packhouse/hosting/contract';

/** Holders for one test. */
export interface PackHoldersFixture {
  /** Opens the holders of an account that only the test uses. Each call may return another handle. */
  open(): PackHolders;
  close(): void | Promise<void>;
}

/** Tests an adapter against the contract of `PackHolders`. */
export function testPackHolders(adapter: string, make: () => PackHoldersFixture | Promise<PackHoldersFixture>): void {
  describe(`PackHolders: ${adapter}`, () => {
    let fixture: PackHoldersFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(() => fixture.close());
    const holders = (): PackHolders => fixture.open();
    const ids = (count: number): PackId[] => Array.from({ length: count }, () => samplePackId()).sort();
    const sorted = ({ unheld, noted }: Awaited<ReturnType<PackHolders['release']>>) => ({
      unheld: [...unheld].sort(),
      noted: [...noted].sort(),
    });

    it('treats packs that were never shared as held only by the releasing repository', async () => {
      const packs = ids(2);
      expect(sorted(await holders().release(packs, 'r1'))).toEqual({ unheld: packs, noted: [] });
      expect(await holders().release([], 'r1')).toEqual({ unheld: [], noted: [] });
    });

    it('REPO-123: lets the last holder remove the bytes, for any number of calls', async () => {
      const [one, two] = ids(2);
      if (one === undefined || two === undefined) return;
      await holders().hold([one, two], ['r1', 'r2'], 5);
      for (let times = 0; times < 2; times++) {
        expect(await holders().release([one], 'r1')).toEqual({ unheld: [], noted: [] });
      }
      // A repository without the pack is not the last holder.
      expect(await holders().release([one, two], 'r3')).toEqual({ unheld: [], noted: [] });
      for (let times = 0; times < 2; times++) {
        expect(await holders().release([one], 'r2')).toEqual({ unheld: [one], noted: [one] });
        expect(await holders().release([one], 'r1')).toEqual({ unheld: [], noted: [] });
      }
      expect(await holders().held('r2', 9)).toEqual([one, two].sort());
      await holders().drop([one], 'r2');
      await holders().drop([one], 'r2');
      expect(await holders().held('r2', 9)).toEqual([two]);
      for (const repo of ['r1', 'r2']) {
        expect(await holders().release([one], repo)).toEqual({ unheld: [one], noted: [] });
      }
    });

    it('lists the packs of a repository by the time of their last note', async () => {
      const [one, two] = ids(2);
      if (one === undefined || two === undefined) return;
      await holders().hold([one], ['r1', 'r2'], 5);
      await holders().hold([two], ['r1'], 4);
      expect(await holders().held('r1', 4)).toEqual([]);
      expect(await holders().held('r1', 6)).toEqual([two, one]);
      expect(await holders().held('r2', 6)).toEqual([one]);
      await holders().hold([two], ['r1'], 7);
      await holders().hold([one], ['r1'], 3);
      expect(await holders().held('r1', 7)).toEqual([one]);
      expect(await holders().held('r1', 8)).toEqual([one, two]);
      expect(await holders().held('r3', 8)).toEqual([]);
    });

    it('accepts more packs than fit into one SQL value', async () => {
      const packs = ids(2_500);
      await holders().hold(packs, ['r1', 'r2'], 5);
      expect(await holders().release(packs, 'r1')).toEqual({ unheld: [], noted: [] });
      expect(await holders().held('r1', 9)).toEqual([]);
      expect(sorted(await holders().release(packs, 'r2'))).toEqual({ unheld: packs, noted: packs });
      await holders().drop(packs, 'r2');
      expect(await holders().held('r2', 9)).toEqual([]);
    });
  });
}
