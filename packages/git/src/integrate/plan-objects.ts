import type { HeldView } from '../content/content-reader.ts';
import type { NewObjects } from '../commit/new-objects.ts';
import { objectIdAt, objectIdToBytes, type ObjectId } from '../object/object-id.ts';
import { isTreeMode, TreeCursor } from '../object/tree.ts';
import { PackError } from '../pack/pack-error.ts';
import { planFetch, type FetchPlan } from '../upload-pack/plan/fetch-plan.ts';
import { cost } from '../work/costs.ts';
import { holding } from '../memory/holding.ts';

/** Entries that a look at a commit, or at the entry of a tree, counts for. */
const entriesALook = 12;
/** Memory of an object in the sets of a walk. */
const memoryAnObject = 128;
const submoduleMode = 0o160000;

/**
 * Plans what a repository lacks of the history of a commit of another one, as a fetch would.
 *
 * @param head the node of the commit in `source`.
 */
export async function planHistory(source: HeldView, head: number, target: HeldView): Promise<FetchPlan> {
  const { view } = source;
  const { set, work } = view;
  const hold = holding(source.account, source.memoryMax);
  const leaning = await target.visibility.leaning();
  const common: number[] = [];
  const seen = new Set([head]);
  // A set yields what is added to it meanwhile, too.
  for (const node of seen) {
    hold(memoryAnObject);
    if (work.spend(cost.entries, entriesALook)) await work.yield();
    const known = target.view.set.findNodeById(view.objectId(set.nodeObjects[node] as number));
    if (known >= 0 && leaning.mayLeanOn(known)) {
      common.push(node);
      continue;
    }
    const end = set.parentStarts[node + 1] as number;
    for (let i = set.parentStarts[node] as number; i < end; i++) seen.add(set.parents[i] as number);
  }
  return planFetch(set, { wants: [head], objects: [], common, tags: [] }, work, view);
}

/**
 * Plans what a repository lacks of a tree, of which another one has all but `made`.
 */
export async function planTree(
  source: HeldView,
  root: ObjectId,
  target: HeldView,
  made: NewObjects,
): Promise<FetchPlan> {
  const { view } = source;
  const hold = holding(source.account, source.memoryMax);
  const leaning = await target.visibility.leaning();
  const chosen: number[] = [];
  const waiting = [{ oid: root, isTree: true }];
  const seen = new Set([root]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { oid, isTree } = next;
    let body = made.get(oid)?.body;
    if (body === undefined) {
      const id = objectIdToBytes(oid);
      const known = target.view.findObject(id, 0);
      if (known >= 0 && leaning.mayLeanOnObject(known)) continue;
      const object = view.findObject(id, 0);
      if (object < 0) throw new PackError(`a merged tree names ${oid}, which is not stored`);
      chosen.push(object);
      // A copy, since the body is only valid until others have their turn.
      if (isTree) body = (await view.read(object)).body.slice();
    }
    if (!isTree || body === undefined) continue;
    for (const cursor = new TreeCursor(body); cursor.next();) {
      if (view.work.spend(cost.entries, entriesALook)) await view.work.yield();
      const entry = objectIdAt(body, cursor.oidAt);
      if (cursor.mode === submoduleMode || seen.has(entry)) continue;
      hold(memoryAnObject);
      seen.add(entry);
      waiting.push({ oid: entry, isTree: isTreeMode(cursor.mode) });
    }
    if (view.work.spend(cost.steps)) await view.work.yield();
  }
  return { objects: Uint32Array.from(chosen).sort(), held: () => false };
}
