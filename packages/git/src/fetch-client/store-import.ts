import { rowPackMax } from '../pack/receive/incoming-pack.ts';
import { smallPush } from '../pack/receive/memory-plan.ts';
import { PackError } from '../pack/pack-error.ts';
import { CommandVerdicts } from '../receive-pack/commands.ts';
import { PackInput } from '../receive-pack/pack-input.ts';
import { applyPush, type PushTarget, type PushOutcome } from '../receive-pack/push.ts';
import type { PushRules } from '../receive-pack/push-rules.ts';
import { viewMemory } from '../engine/request-memory.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import type { FetchedPack } from './fetch-pack-reply.ts';
import type { ImportPlan } from './import-plan.ts';
import type { Patience } from './patience.ts';
import { RemoteError } from './remote-error.ts';

/** Push rules for an import, without those that an import determines. */
export type ImportRules = Omit<
  PushRules,
  'acceptShallow' | 'bodyLength' | 'denyNonFastForward' | 'isImport' | 'stillWanted'
>;

/**
 * Takes in a fetched pack as a push that creates all refs of the plan: the one way into a repository, with all its
 * checks.
 *
 * @throws {RemoteError} Then refs may be left, but no pack: the caller undoes the repository.
 * @throws {RepoGoneError}
 */
export async function storeImport(
  target: PushTarget,
  { plan, pack }: { readonly plan: ImportPlan; readonly pack: FetchedPack },
  patience: Patience,
  rules: ImportRules,
): Promise<PushOutcome | undefined> {
  const { engine, snapshot, memory } = target;
  const commands = [...plan.refs, ...plan.tags].map(({ name, oid }) => ({
    old: null,
    new: oid,
    name,
    ref: encodeUtf8(name),
  }));
  const required = plan.refs.length;
  const verdicts = new CommandVerdicts(commands, {
    hiddenRefs: rules.hiddenRefs,
    denyDeleteDefault: false,
    defaultBranch: plan.defaultBranch,
    mayFail: (command) => command >= required,
  });
  const room = Math.min(rules.repoStorageMax, await rules.accountStorageLeft());
  const input = new PackInput(bounded(pack.bytes, room));
  try {
    const bodyLength = await input.gather(rowPackMax, (bytes) => memory.holdBody(bytes));
    await memory.resize(smallPush, viewMemory(engine, snapshot));
    const request = { atomic: true, shallow: pack.shallow };
    const outcome = await applyPush({
      ...target,
      verdicts,
      request,
      input,
      rules: {
        ...rules,
        bodyLength,
        denyNonFastForward: false,
        acceptShallow: true,
        isImport: true,
        stillWanted: () => patience.check(),
      },
    });
    for (let command = 0; command < required; command++) {
      const reason = verdicts.reason(command);
      if (reason !== undefined) throw new RemoteError('bad pack', `a ref of the remote was refused: ${reason}`);
    }
    return outcome;
  } catch (error) {
    throw error instanceof PackError ? explained(error) : error;
  }
}

/** Reasons of section 12 that are about the size of a pack, not about an error in it. */
const tooMuch: ReadonlySet<string> = new Set([
  'file too large',
  'object too large',
  'commit too large',
  'tag too large',
  'too many parents',
  'push inflates to too much',
  'delta chain too large',
  'history too large',
  'not enough memory',
  'storage limit exceeded',
]);

function explained(error: PackError): RemoteError {
  const code = tooMuch.has(error.commandReason) ? 'too large' : 'bad pack';
  return new RemoteError(code, `the pack of the remote was refused: ${error.reason}`, { cause: error });
}

/** Ends early, since a pack that will be refused need not be stored first. */
async function* bounded(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > most) throw new RemoteError('too large', `the pack of the remote has more than ${most} bytes`);
    yield chunk;
  }
}
