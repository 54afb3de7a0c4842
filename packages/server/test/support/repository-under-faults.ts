import { createCipheriv } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createGitEngine,
  packFiles,
  receivePack,
  verifyRepository,
  type Codec,
  type PackFile,
  type PackId,
  type Problem,
} from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import {
  maintainHostedRepo,
  type HostedRepo,
  type HostedRepoState,
  leftoverAge,
  sweepLeftovers,
} from '@packhouse/hosting';
import { filePacks } from '@packhouse/storage';
import { wholeState } from '@packhouse/git/contract';
import { nodeStorage } from '@packhouse/storage/node';
import type { FaultyFileSystem } from '@packhouse/storage/testing';
import { reportOf } from '@packhouse/conformance/tools/wire-client';

export const repoId = 'k3v9p0x2m7q4w8zt';

/** Milliseconds that unreachable objects, and replaced packs, are kept. */
export const maintenanceGrace = 60_000;

/** One repository on a data folder whose packs lie on a file system that fails as told; its database is real. */
export interface RepositoryUnderFaults {
  readonly repo: HostedRepo;
  /** Pushes; the lines of the report, or undefined if the client heard nothing that makes sense. */
  push(body: Uint8Array): Promise<string[] | undefined>;
  refs(): Promise<Record<string, string>>;
  /** Returns the problems of the repository, found without any earlier cache. */
  problems(): Promise<readonly Problem[]>;
  /** Returns the files of the manifest's packs in the store, by kind, oldest pack first. Undefined if unreadable. */
  stored(): Promise<readonly (Record<PackFile, Buffer> | undefined)[]>;
  /** Sweeps as two days later. */
  sweep(): Promise<readonly PackId[]>;
  /** Maintains it once, as at `now` (milliseconds since 1970), with graces of {@link maintenanceGrace}. */
  maintain(now: number): Promise<void>;
  /** Paths that the manifest accounts for, and those of packs that were replaced. */
  accounted(): Promise<string[]>;
  close(): void;
}

export interface UnderFaultsOptions {
  readonly dataDir: string;
  readonly fileSystem: FaultyFileSystem;
  readonly partSize?: number;
  /** Codec of the service. Later checks read with the real codec. */
  readonly codec?: Codec;
  /** Prefixes, asked for at each push. Default: none. */
  readonly hiddenRefs?: () => readonly string[];
  /** Puts something between the engine and the state. */
  readonly around?: (state: HostedRepoState) => HostedRepoState;
}

/** Returns the folder of the packs in a data folder. */
export function packsFolder(dataDir: string): string {
  return join(dataDir, 'packs');
}

let emptyDatabase: Uint8Array | undefined;

/** Gives a new data folder a copy of an empty database, which is faster than making each. */
function beginDatabase(dataDir: string): void {
  const file = join(dataDir, 'packhouse.sqlite');
  if (existsSync(file)) return;
  if (emptyDatabase === undefined) {
    nodeStorage({ dataDir }).close();
    emptyDatabase = readFileSync(file);
  } else {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, emptyDatabase);
  }
}

export async function openUnderFaults(options: UnderFaultsOptions): Promise<RepositoryUnderFaults> {
  const { dataDir, fileSystem, partSize, codec, hiddenRefs, around } = options;
  beginDatabase(dataDir);
  const storage = nodeStorage({ dataDir, fileSystem });
  const files = filePacks(packsFolder(dataDir), fileSystem, partSize === undefined ? {} : { partSize });
  const { state } = storage.repos.repo('local', repoId, 'default');
  const packs = files.repo('local', repoId);
  const repo: HostedRepo = { id: repoId, state: around?.(state) ?? state, packs };
  const engine = createGitEngine({ codec: codec ?? nodeCodec() });
  await state.begin(
    {
      account: 'local',
      id: repoId,
      namespace: 'default',
      name: 'faults',
      defaultBranch: 'main',
      readOnly: false,
      status: 'ready',
    },
    { id: 'token', secretHash: '0'.repeat(64), scope: 'write', createdAt: 0, expiresAt: 1, revokedAt: null },
  );
  const snapshot = async () => {
    const found = await state.snapshot();
    if (found === undefined) throw new Error('no snapshot');
    return found;
  };
  return {
    repo,
    async push(body) {
      try {
        const reply = await receivePack(
          engine,
          repo,
          await snapshot(),
          pieces(body),
          pushOptions(hiddenRefs?.() ?? []),
        );
        const bytes = reply instanceof Uint8Array ? reply : new Uint8Array(await new Response(reply).arrayBuffer());
        return reportOf(Buffer.from(bytes));
      } catch {
        return undefined;
      }
    },
    refs: async () => Object.fromEntries((await wholeState(state)).refs.map(({ name, oid }) => [name, oid])),
    problems: async () => verifyRepository(createGitEngine({ codec: nodeCodec() }), { state, packs }, await snapshot()),
    async stored() {
      const records = (await snapshot()).packs.filter(({ where }) => where === 'store');
      return Promise.all(
        records.map(async ({ id, packSize, idxSize, graphSize }) => {
          const read = async (file: PackFile, length: number) =>
            Buffer.from((await packs.read(id, file, [{ offset: 0, length }]))[0] as Uint8Array);
          try {
            return {
              pack: await read('pack', packSize),
              idx: await read('idx', idxSize),
              graph: await read('graph', graphSize),
            };
          } catch {
            return undefined;
          }
        }),
      );
    },
    async maintain(now) {
      await maintainHostedRepo(engine, repo, {
        now,
        grace: maintenanceGrace,
        retireGrace: maintenanceGrace,
        mergeMax: Number.MAX_SAFE_INTEGER,
        // None goes into the database, which is real.
        rowsMax: 0,
        quietMerge: { after: maintenanceGrace, alwaysMax: 1_073_741_824 },
        inUse: () => false,
        newId: () => crypto.randomUUID(),
      });
    },
    sweep: () => sweepLeftovers(state, packs, Date.now() + 2 * leftoverAge),
    async accounted() {
      const retired = (await state.retiredPacks()).map(({ pack }) => pack);
      const records = [...(await snapshot()).packs, ...retired].filter(({ where }) => where === 'store');
      return records
        .flatMap(({ id }) => packFiles.map((file) => `${packsFolder(dataDir)}/local/${repoId}/${id}.${file}`))
        .sort();
    },
    close() {
      files.close();
      storage.close();
    },
  };
}

let pushes = 0;

function pushOptions(hiddenRefs: readonly string[]): Parameters<typeof receivePack>[4] {
  return {
    hiddenRefs,
    denyDeleteDefault: false,
    denyNonFastForward: false,
    strictObjects: true,
    blobMax: 33_554_432,
    objectMax: 33_554_432,
    memoryMax: 67_108_864,
    chainDepthMax: 4_095,
    chainMax: 2 ** 31,
    commitMax: 1 << 20,
    commitParentsMax: 1024,
    inflatedMax: 2 ** 32,
    graphMax: 1 << 24,
    repoStorageMax: 1_073_741_824,
    accountStorageLeft: async () => 1_073_741_824,
    pushId: `push-${process.pid}-${pushes++}`,
    now: () => Date.now(),
    bodyMax: 1_073_741_824,
    commandsMax: 10_000,
    keepAlive: 60_000,
    committed: async () => undefined,
    failed: () => undefined,
  };
}

async function* pieces(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < body.length; at += 50_021) yield body.slice(at, at + 50_021);
}

/** Bytes that do not compress, the same for the same seed. */
export function noise(size: number, seed: number): Buffer {
  const iv = Buffer.alloc(16);
  iv.writeUInt32BE(seed);
  return createCipheriv('aes-128-ctr', Buffer.alloc(16), iv).update(Buffer.alloc(size));
}
