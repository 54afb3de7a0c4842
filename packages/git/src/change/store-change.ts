import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { pushStart, reserveFor, viewMemory } from '../engine/request-memory.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { RequestAccount } from '../memory/request-account.ts';
import type { ObjectId } from '../object/object-id.ts';
import { rowPackMax } from '../pack/receive/incoming-pack.ts';
import { smallPush } from '../pack/receive/memory-plan.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { RefName } from '../refs/ref-name.ts';
import { CommandVerdicts, type CommandRules } from '../receive-pack/commands.ts';
import { PackInput } from '../receive-pack/pack-input.ts';
import { applyPush, type PushOutcome } from '../receive-pack/push.ts';
import type { PushRules } from '../receive-pack/push-rules.ts';

/** One update of a ref that the caller has read. */
export interface ChangedRef {
  readonly name: RefName;
  /** The value that the ref has; null: it does not exist. */
  readonly old: ObjectId | null;
  /** Null deletes the ref. */
  readonly new: ObjectId | null;
  /** Allows a move that loses commits, and the move of a tag. Settings that forbid such moves still apply. */
  readonly force: boolean;
}

/** Rules of a change: those of a push, without those that a change determines. */
export interface ChangeRules
  extends
    Omit<PushRules, 'acceptShallow' | 'bodyLength' | 'isImport' | 'mustBeForward' | 'pushId'>,
    Pick<CommandRules, 'denyDeleteDefault'> {
  /** Returns a random id, one for each attempt. */
  readonly pushId: () => string;
  /**
   * Bytes that the caller holds meanwhile, and does not account for: a request that waits for memory must hold none.
   * Default 0.
   */
  readonly heldMemory?: number | undefined;
}

/** Result of a change, which happened as a whole or not at all. */
export interface ChangeResult {
  /** Undefined if nothing changed. */
  readonly outcome: PushOutcome | undefined;
  /** The reason of each refused update by its number, as Git would report it; undefined for the others. */
  readonly reasons: readonly (string | undefined)[];
}

/**
 * Changes refs of a repository, and adds the objects that they need, without a Git client. The change takes the way of
 * an atomic push, with all its checks, so that it makes no state that a push could not make.
 *
 * @param pack a whole pack, for new values that the repository may lack. Default: no new objects.
 * @throws {PackError} for a pack that a push would refuse.
 * @throws {NotEnoughMemoryError}
 * @throws {RepoGoneError}
 */
export async function storeChange(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  updates: readonly ChangedRef[],
  rules: ChangeRules,
  pack?: AsyncIterable<Uint8Array>,
): Promise<ChangeResult> {
  const commands = updates.map(({ name, old, new: value }) => ({ name, old, new: value, ref: encodeUtf8(name) }));
  const verdicts = new CommandVerdicts(commands, { ...rules, defaultBranch: snapshot.defaultBranch });
  updates.forEach(({ name, old, new: value, force }, number) => {
    const isMove = old !== null && value !== null && value !== old;
    if (isMove && !force && name.startsWith('refs/tags/')) verdicts.refuse(number, 'already exists');
  });
  const lease = engine.leases.take(snapshot.packs);
  const { heldMemory = 0 } = rules;
  let memory: RequestAccount | undefined;
  try {
    memory = new RequestAccount(await reserveFor(engine, snapshot, pushStart + heldMemory, rules));
    const account = memory;
    const input = pack === undefined ? undefined : new PackInput(pack);
    const bodyLength = await input?.gather(rowPackMax, (bytes) => account.holdBody(bytes));
    await memory.resize(smallPush, viewMemory(engine, snapshot) + heldMemory);
    const outcome = await applyPush({
      engine,
      repository,
      snapshot,
      memory,
      verdicts,
      request: { atomic: true, shallow: [] },
      input,
      rules: {
        ...rules,
        pushId: rules.pushId(),
        bodyLength,
        mustBeForward: (number) => updates[number]?.force !== true,
      },
    });
    return { outcome, reasons: verdicts.results().map(({ reason }) => reason) };
  } finally {
    memory?.release();
    lease.release();
  }
}
