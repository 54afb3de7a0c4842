import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageTrouble, type PackId } from '@packhouse/git';
import { expect, it } from 'vitest';
import { memoryPackHolders } from '../packs/holders.ts';
import { memoryPackReservations } from '../packs/reservations.ts';
import { folderPlace } from './folder-place.ts';

it('REPO-337: stores and forgets nothing while the folder is not mounted, and goes on afterwards', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'packhouse-mount-'));
  const [mounted, away] = [join(parent, 'packs'), join(parent, 'away')];
  const place = folderPlace(mounted);
  await place.mark('d1');
  expect(await place.isMarked('d1')).toBe(true);
  const reservations = memoryPackReservations();
  const stores = place.open({ reservations: () => reservations, holders: memoryPackHolders });
  const packs = stores.repo('local', 'k3v9p0x2m7q4w8zt');
  const begun = async (): Promise<PackId> => {
    const id = await packs.reserve();
    await packs.put(id, 'idx', [Uint8Array.of(1)]);
    return id;
  };
  const id = await begun();
  renameSync(mounted, away);
  for (const work of [packs.remove(id), begun()]) {
    expect(storageTrouble(await work.catch((error: unknown) => error))).toBe('storage is gone');
  }
  expect(await packs.leftovers(Infinity)).toContain(id);
  renameSync(away, mounted);
  await begun();
  await packs.remove(id);
  expect(await packs.leftovers(Infinity)).not.toContain(id);
  expect(readdirSync(join(mounted, 'local', 'k3v9p0x2m7q4w8zt'))).toHaveLength(1);
  stores.close();
  rmSync(parent, { recursive: true });
});
