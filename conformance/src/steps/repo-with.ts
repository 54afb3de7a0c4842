import type { Context, CreateRepoOptions, TestRepo } from '../core/context.ts';
import { pack, type MadeObject } from '../tools/made-objects.ts';
import { same } from '../tools/same.ts';
import { push, set, type Command, type Remote } from '../tools/wire-client.ts';
import { deltaPack } from '../tools/delta-pack.ts';
import { inPushes, type History } from '../tools/random-history.ts';

/**
 * Creates a repo with these refs.
 *
 * @param objects all objects that the refs need.
 */
export async function repoWith(
  t: Context,
  refs: Readonly<Record<string, { readonly oid: string }>>,
  objects: readonly MadeObject[],
  options?: CreateRepoOptions,
): Promise<TestRepo> {
  const repo = await t.createRepo(options);
  const commands = Object.entries(refs).map(([ref, value]) => set(ref, value));
  await accepted(repo, commands, pack(...objects));
  return repo;
}

/**
 * Makes a push that the case relies on.
 *
 * @throws if a command is refused.
 */
export async function accepted(
  repo: Remote,
  commands: readonly Command[],
  bytes?: Uint8Array,
  capabilities?: string,
): Promise<void> {
  const report = await push(repo, commands, bytes, capabilities);
  const names = commands.map(({ ref }) => Buffer.from(ref).toString());
  same(report, ['unpack ok', ...names.map((name) => `ok ${name}`)], 'A push that a case begins with is accepted.');
}

/** Creates a repo and pushes a history to it, in several thin packs full of deltas. */
export async function pushedHistory(t: Context, history: History, count: number): Promise<TestRepo> {
  const repo = await t.createRepo();
  for (const { refs, brings, before } of inPushes(history, count)) {
    const commands = [...refs].map(([name, value]) => set(name, value));
    await accepted(repo, commands, deltaPack(brings, before));
  }
  return repo;
}
