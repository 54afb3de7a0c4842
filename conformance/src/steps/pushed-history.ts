import type { Context, TestRepo } from '../core/context.ts';
import { deltaPack } from '../tools/delta-pack.ts';
import { inPushes, type History } from '../tools/random-history.ts';
import { accepted } from './repo-with.ts';
import { set } from '../tools/wire-client.ts';

/** A repo that holds a history, brought in some pushes of thin packs full of deltas. */
export async function pushedHistory(t: Context, history: History, count: number): Promise<TestRepo> {
  const repo = await t.createRepo();
  for (const { refs, brings, before } of inPushes(history, count)) {
    const commands = [...refs].map(([name, value]) => set(name, value));
    await accepted(repo, commands, deltaPack(brings, before));
  }
  return repo;
}
