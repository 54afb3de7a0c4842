import { createGitEngine, receivePack, type GitRepository, type RepoSnapshot } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { reportOf } from '@packhouse/conformance/tools/wire-client';
import { migrate } from '@packhouse/base';
import { repoStateMigrations, sqlRepoState } from '@packhouse/storage';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import {
  FaultyBucket,
  memoryPackHolders,
  StrictBucket,
  strictSizedStream,
  type BucketCall,
  type BucketFault,
} from '@packhouse/storage/testing';
import { limitedDriver } from '@packhouse/base/testing';
import { bucketPackStore, sqlPackReservations, type MaintainedRepoState } from '@packhouse/storage/workers';

const mebi = 1_048_576;

/**
 * A repository with its packs in a bucket that can be made to fail, and its state in SQL with the limits of objects.
 */
export interface BucketRepository {
  readonly id: string;
  readonly account: string;
  readonly bucket: StrictBucket;
  readonly state: MaintainedRepoState;
  /** The store of one request, and what it calls. Default: nothing fails. */
  open(fault?: (call: BucketCall) => BucketFault | undefined): {
    readonly packs: ReturnType<typeof bucketPackStore>;
    readonly calls: readonly BucketCall[];
  };
  snapshot(): Promise<RepoSnapshot>;
  close(): void;
}

/** An empty repository with an empty bucket. */
export async function bucketRepository(): Promise<BucketRepository> {
  const id = 'k3v9p0x2m7q4w8zt';
  const database = openNodeSqlite(':memory:');
  const driver = limitedDriver(database);
  migrate(driver, 'repo-state', repoStateMigrations);
  const bucket = new StrictBucket();
  const state = sqlRepoState(driver, id);
  const holders = memoryPackHolders();
  const account = 'a';
  const head = { account, namespace: 'n', name: 'r', defaultBranch: 'main', readOnly: false } as const;
  await state.begin(
    { ...head, id, status: 'ready' },
    { id: 't', secretHash: '0'.repeat(64), scope: 'write', createdAt: 0, expiresAt: 1, revokedAt: null },
  );
  return {
    id,
    account,
    bucket,
    state,
    open(fault = () => undefined) {
      const faulty = new FaultyBucket(bucket, fault);
      const reservations = sqlPackReservations(database, id);
      const sleep = async (): Promise<void> => undefined;
      const packs = bucketPackStore({
        bucket: faulty,
        account,
        repoId: id,
        reservations,
        holders,
        openStream: strictSizedStream,
        sleep,
      });
      return { packs, calls: faulty.calls };
    },
    async snapshot() {
      const found = await state.snapshot();
      if (found === undefined) throw new Error('no snapshot');
      return found;
    },
    close: () => database.close(),
  };
}

/** Pushes to a repository at `snapshot`. Returns the report; undefined without a report. */
export async function pushTo(
  repository: GitRepository,
  snapshot: RepoSnapshot,
  body: Uint8Array,
): Promise<string[] | undefined> {
  const reply = await receivePack(createGitEngine({ codec: nodeCodec() }), repository, snapshot, inPieces(body), {
    hiddenRefs: [],
    denyDeleteDefault: false,
    denyNonFastForward: false,
    strictObjects: true,
    blobMax: 64 * mebi,
    objectMax: 64 * mebi,
    memoryMax: 64 * mebi,
    chainDepthMax: 4_095,
    chainMax: 2 ** 31,
    commitMax: 1 << 20,
    commitParentsMax: 1024,
    inflatedMax: 2 ** 32,
    graphMax: 1 << 24,
    repoStorageMax: 1_024 * mebi,
    accountStorageLeft: async () => 1_024 * mebi,
    pushId: crypto.randomUUID(),
    now: () => Date.now(),
    bodyMax: 1_024 * mebi,
    commandsMax: 10,
    keepAlive: 60_000,
    committed: async () => undefined,
    failed: () => undefined,
  });
  const bytes = reply instanceof Uint8Array ? reply : new Uint8Array(await new Response(reply).arrayBuffer());
  return reportOf(Buffer.from(bytes));
}

async function* inPieces(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < body.length; at += 1_000_003) yield body.slice(at, at + 1_000_003);
}
