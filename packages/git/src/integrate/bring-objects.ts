import type { NewObjects } from '../commit/new-objects.ts';
import { fetchMemory } from '../engine/request-memory.ts';
import { rowPackMax } from '../pack/receive/incoming-pack.ts';
import { PackInput } from '../receive-pack/pack-input.ts';
import type { ObjectId } from '../object/object-id.ts';
import { packEntries } from '../upload-pack/send/pack-stream.ts';
import { wholeMemory } from '../upload-pack/send/whole-memory.ts';
import type { Meeting } from './meeting.ts';
import { planHistory, planTree } from './plan-objects.ts';

const form = { thinPack: false, ofsDelta: true };

/**
 * Gives `use` the pack of what the target lacks for a new value of a branch: new objects, and those of the source.
 *
 * @param tree the root of all that the branch needs of the source. Undefined: it needs the history of the commit, too.
 */
export async function bringObjects<Result>(
  { target, source, node }: Meeting,
  objects: NewObjects,
  tree: ObjectId | undefined,
  use: (pack: AsyncIterable<Uint8Array> | undefined) => Promise<Result>,
): Promise<Result> {
  const { view, account } = source;
  if (source === target) {
    // The push reserves its own memory; here only the new objects stay.
    account.keepForReply(objects.bytes);
    return use(objects.count === 0 ? undefined : objects.pack());
  }
  await account.planMore(fetchMemory(view.engine, view.snapshot));
  const plan = await (tree === undefined ? planHistory(source, node, target) : planTree(source, tree, target, objects));
  await account.expectReading(await wholeMemory(view.set, plan, form, view.work));
  const count = plan.objects.length;
  if (count + objects.count === 0) return use(undefined);
  const pieces = packEntries(view, plan, form);
  try {
    const input = new PackInput(objects.pack({ count, pieces }));
    // The rest is not needed for a small pack any more, so that requests do not wait for each other.
    const length = await input.gather(rowPackMax, (bytes) => account.holdBody(bytes));
    if (length !== undefined) account.keepForReply(length);
    return await use(input.bytes());
  } finally {
    await pieces.return(undefined);
  }
}
