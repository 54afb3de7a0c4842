import type { PushOutcome } from '../receive-pack/push.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import { RequestAccount } from '../memory/request-account.ts';
import { pushStart, reserveFor } from '../engine/request-memory.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import { getDiscovery, postRequest, type Connection, type Fetch } from './exchange.ts';
import { readFetchReply, readUploadReply, type FetchedPack } from './fetch-pack-reply.ts';
import { sideBandOf, writeFetchCommand, writeUploadRequest } from './fetch-pack-request.ts';
import { planImport, type ImportChoice, type ImportPlan } from './import-plan.ts';
import { Patience, type TimeLimits } from './patience.ts';
import { readDiscovery, type Discovery } from './read-discovery.ts';
import { readRefList, writeRefListRequest } from './ref-list.ts';
import { RemoteError } from './remote-error.ts';
import { RemotePackets } from './remote-packets.ts';
import type { RemoteRefs, TryKeep } from './remote-refs.ts';
import { WorkAbortedError } from '../work/scheduler.ts';
import { storeImport, type ImportRules } from './store-import.ts';

export interface ImportOptions extends ImportChoice, ImportRules {
  readonly fetch: Fetch;
  /** URL of the remote for clients. Ignores query and fragment. */
  readonly url: URL;
  /** Agent name of this side: printable ASCII without spaces. */
  readonly agent: string;
  readonly time: TimeLimits;
  /** Ends the import. */
  readonly signal?: AbortSignal | undefined;
}

/** Result of an import. */
export interface ImportOutcome {
  readonly plan: ImportPlan;
  /** Undefined if the remote has none of the refs, so that nothing changed. */
  readonly push: PushOutcome | undefined;
}

/** Maximum bytes of a remote's ref list and capabilities. */
const listingMax = 32 * 1024 * 1024;

/**
 * Imports a remote into an empty repository (REPO-125 to REPO-131), with the checks of a push (`git.md` section 9).
 * Creates refs in batches, and adds the pack with the last one. If it throws, the caller must delete the repository,
 * which may have refs without their pack.
 *
 * @throws {RemoteError} for limits of the remote, time or memory.
 * @throws {RepoGoneError} if the repository was deleted meanwhile.
 */
export async function importRemote(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const patience = new Patience(options.time, options.signal);
  let memory: RequestAccount | undefined;
  try {
    const account = (memory = new RequestAccount(await reserveFor(engine, snapshot, pushStart, options)));
    const tryKeep = keepingUpTo(options.memoryMax, account);
    const { fetch, url, agent } = options;
    const work = engine.scheduler.begin(options);
    const connection: Connection = { fetch, url, agent, patience, work };
    const discovery = await discover(connection, tryKeep);
    const remote = discovery.version === 2 ? await listRefs(connection, discovery, tryKeep) : discovery.refs;
    const plan = planImport(remote, options, options.hiddenRefs);
    if (plan.refs.length === 0) return { plan, push: undefined };
    const packets = await requestPack(connection, discovery, plan);
    try {
      const pack = await readReply(packets, discovery, plan, tryKeep);
      return {
        plan,
        push: await storeImport({ engine, repository, snapshot, memory: account }, { plan, pack }, patience, options),
      };
    } finally {
      await packets.close();
    }
  } catch (error) {
    if (error instanceof WorkAbortedError) throw new RemoteError('cancelled', error.message);
    if (!(error instanceof NotEnoughMemoryError) || error.retryAfter !== undefined) throw error;
    throw new RemoteError('too large', error.message);
  } finally {
    patience.end();
    memory?.release();
  }
}

/** The list of a remote may take no more memory than a request may, regardless of free memory (LIM-059). */
function keepingUpTo(memoryMax: number, account: RequestAccount): TryKeep {
  let kept = 0;
  return (bytes) => (kept += bytes) <= memoryMax && account.tryKeep(bytes);
}

async function discover(connection: Connection, tryKeep: TryKeep): Promise<Discovery> {
  const packets = new RemotePackets(await getDiscovery(connection), connection.work, listingMax);
  try {
    return await readDiscovery(packets, tryKeep);
  } finally {
    await packets.close();
  }
}

async function listRefs(connection: Connection, { capabilities }: Discovery, tryKeep: TryKeep): Promise<RemoteRefs> {
  const request = writeRefListRequest(capabilities, connection.agent);
  const packets = new RemotePackets(await postRequest(connection, 2, request), connection.work, listingMax);
  try {
    return await readRefList(packets, tryKeep);
  } finally {
    await packets.close();
  }
}

async function requestPack(
  connection: Connection,
  { version, capabilities }: Discovery,
  plan: ImportPlan,
): Promise<RemotePackets> {
  const wants = new Set(plan.refs.map(({ oid }) => oid));
  const request = { wants, depth: plan.depth, includeTag: plan.tags.length > 0 };
  const write = version === 2 ? writeFetchCommand : writeUploadRequest;
  const body = write(request, capabilities, connection.agent);
  return new RemotePackets(await postRequest(connection, version, body), connection.work);
}

async function readReply(
  packets: RemotePackets,
  discovery: Discovery,
  { depth }: ImportPlan,
  tryKeep: TryKeep,
): Promise<FetchedPack> {
  if (discovery.version === 2) return readFetchReply(packets, tryKeep);
  const pack = await readUploadReply(packets, sideBandOf(discovery.capabilities), depth !== undefined, tryKeep);
  return { ...pack, shallow: [...discovery.shallow, ...pack.shallow] };
}
