import { objectIdBytes } from '../../object/object-id.ts';
import type { IncomingPack } from '../../pack/receive/incoming-pack.ts';
import { collision, isSameObject } from '../../pack/receive/object-twins.ts';
import type { RepositoryView } from '../../repository/repository-view.ts';
import { cost } from '../../work/costs.ts';
import type { PushPlaces } from './push-places.ts';

/**
 * GIT-147 for what hidden refs alone reach, and what of a shared pack is another's: the indexer must not find it as a
 * base, so it did not compare it.
 *
 * @throws {PackError} `object collision <oid>`.
 */
export async function checkHiddenTwins(view: RepositoryView, places: PushPlaces, pack: IncomingPack): Promise<void> {
  const { work } = view;
  const id = new Uint8Array(objectIdBytes);
  for (let ordinal = 0; ordinal < pack.sent; ordinal++) {
    if (work.spend(cost.steps)) await work.yield();
    pack.index.copyId(ordinal, id, 0);
    const hidden = places.findHidden(id, 0);
    if (hidden < 0) continue;
    const stored = await view.read(hidden);
    work.spend(cost.compared, stored.body.length);
    if (!isSameObject(view.engine.codec, stored, await pack.objects.read(ordinal))) throw collision(id, 0);
  }
}
