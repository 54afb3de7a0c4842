import { RepoGoneError, rowPackMax, type GitEngine } from '@packhouse/git';
import { maintainHostedRepo, type HostedRepo, type RepoStorage } from '@packhouse/hosting';

/** Milliseconds between two checks of every repository. */
const period = 250;

/** Storage whose repositories are maintained until they are deleted, or all of it is stopped. */
export interface MaintainedStorage extends RepoStorage {
  /** Starts the maintenance. `grace`: milliseconds that unreachable objects are kept (LIM-064). */
  start(engine: GitEngine, grace: number, report: (error: unknown) => void): void;
  stop(): Promise<void>;
}

interface Known {
  readonly repo: HostedRepo;
  /** The version of the state that needs no maintenance before `nextAt`. */
  version: number | undefined;
  nextAt: number | undefined;
}

/** Maintains repositories as the server does for a data folder. This storage does not report what is due. */
export function maintained(storage: RepoStorage): MaintainedStorage {
  const all = new Map<string, Known>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let busy: Promise<void> | undefined;
  return {
    repo(account, id, jurisdiction) {
      const repo = storage.repo(account, id, jurisdiction);
      const key = `${account}/${id}`;
      if (!all.has(key)) all.set(key, { repo, version: undefined, nextAt: undefined });
      return repo;
    },
    sharePacks: (account, from, to, ids) => storage.sharePacks(account, from, to, ids),
    start(engine, grace, report) {
      const round = async (): Promise<void> => {
        for (const [key, known] of all) {
          try {
            await maintain(engine, grace, known);
          } catch (error) {
            if (error instanceof RepoGoneError) all.delete(key);
            else report(error);
          }
        }
      };
      timer = setInterval(() => (busy ??= round().finally(() => (busy = undefined))), period);
    },
    async stop() {
      clearInterval(timer);
      await busy;
    },
  };
}

async function maintain(engine: GitEngine, grace: number, known: Known): Promise<void> {
  const now = Date.now();
  const isSame = (await known.repo.state.snapshot(known.version)) === undefined;
  if (isSame && (known.nextAt === undefined || known.nextAt > now)) return;
  const report = await maintainHostedRepo(engine, known.repo, {
    now,
    grace,
    retireGrace: Math.min(grace, 60_000),
    mergeMax: Number.MAX_SAFE_INTEGER,
    rowsMax: rowPackMax,
    quietMerge: { after: 60_000, alwaysMax: 64 * 1_048_576 },
    inUse: (id) => engine.leases.has(id),
    newId: () => crypto.randomUUID(),
  });
  known.version = report.version;
  known.nextAt = report.nextAt;
}
