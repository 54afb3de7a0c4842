import { describe, expect, it } from 'vitest';
import { madeRecord } from '../graph/made-graph.test.util.ts';
import type { PackId } from '../ports/pack-store.ts';
import type { RowFile } from '../ports/repo-state.ts';
import { rowPortion, RowPacks, rowPortions } from './row-packs.ts';

const size = 1_400_000;
const records = Array.from({ length: 120 }, (_, i) => madeRecord(i + 1, { packSize: size }));

/** Rows that count what is asked for, and remember how much at once. */
function rows(): { calls: PackId[][]; rowFiles: (ids: readonly PackId[]) => Promise<readonly RowFile[]> } {
  const calls: PackId[][] = [];
  return {
    calls,
    async rowFiles(ids) {
      calls.push([...ids]);
      return ids.map((id) => ({ id, file: 'pack', bytes: new Uint8Array(size) }));
    },
  };
}

describe('packs in rows', () => {
  it('come in portions in the order of the plan, of which two are kept', async () => {
    const state = rows();
    const packs = new RowPacks(state);
    for (const [i, record] of records.entries()) {
      // Two windows of one pack are asked for at once, as by a reader that looks ahead.
      const following = records.slice(i);
      const [bytes] = await Promise.all([packs.read(record, following), packs.read(record, following)]);
      expect(bytes).toHaveLength(size);
      expect(packs.memory).toBeLessThanOrEqual(2 * rowPortion);
    }
    const each = Math.floor(rowPortion / size);
    expect(state.calls.map((ids) => ids.length)).toEqual(Array.from({ length: 120 / each }, () => each));
    expect(state.calls.flat()).toEqual(records.map(({ id }) => id));
  });

  it('are asked for once while they are on their way', async () => {
    const state = rows();
    const packs = new RowPacks(state);
    const [first, second] = records as [(typeof records)[0], (typeof records)[0]];
    await Promise.all([packs.read(first, [second]), packs.read(second, [first]), packs.read(first)]);
    expect(state.calls).toEqual([[first.id, second.id]]);
  });

  it('are asked for again after a failure, and may have been moved to the store', async () => {
    let calls = 0;
    const packs = new RowPacks({
      async rowFiles() {
        if (++calls === 1) throw new Error('locked');
        return [];
      },
    });
    const [first] = records as [(typeof records)[0]];
    await expect(packs.read(first)).rejects.toThrow('locked');
    await expect(packs.read(first)).resolves.toBeUndefined();
  });

  it('are cut into portions that no message is too small for', () => {
    const sizes = [rowPortion + 1, 1, rowPortion, 3, 4, rowPortion - 7, 1];
    const cut = [
      ...rowPortions(
        sizes.map((packSize, i) => madeRecord(i, { packSize })),
        (record) => record.packSize,
      ),
    ].map((portion) => portion.map(({ packSize }) => packSize));
    expect(cut).toEqual([[rowPortion + 1], [1], [rowPortion], [3, 4, rowPortion - 7], [1]]);
    expect([...rowPortions([], () => 1)]).toEqual([]);
  });
});
