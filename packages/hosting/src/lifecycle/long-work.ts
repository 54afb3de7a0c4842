import { HostingError } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { within } from '../internal/within.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import { madeOrUndone } from './begin-repo.ts';

/** The work of this process that makes repos and may take longer than a client waits: imports and forks. */
export interface LongWork {
  /**
   * Runs the work that makes `repo` ready; the repo is reserved and has begun. Returns the ready repo, or undefined after
   * the time of LIM-014, while the work continues (REPO-132).
   *
   * @throws the error of the work within that time. Then the repo does not exist (REPO-133).
   */
  run(account: string, repo: RepoRecord, work: Work): Promise<RepoRecord | undefined>;
  /** Runs the work to its end, without a time limit. */
  finish(account: string, repo: RepoRecord, work: Work): Promise<RepoRecord>;
  /** Tests if work on a repo runs in this process. */
  isRunning(id: string): boolean;
  /** Ends the work on a repo that was deleted, if it runs here; elsewhere it learns of that by its next sign of life. */
  cancel(id: string): void;
  /** Ends all work, and any that begins later. */
  stop(): void;
}

type Work = (signal: AbortSignal) => Promise<RepoRecord>;

/** Milliseconds between two signs of life. The sweep drops a repo only after several are missing. */
const renewPeriod = 8_000;

/** Milliseconds between two checks if the work must end. On Workers, no request may end another's work directly. */
const lookPeriod = 100;

export function createLongWork(context: Context): LongWork {
  const running = new Map<string, { isUnwanted: boolean }>();
  let hasStopped = false;

  const finished = async (account: string, repo: RepoRecord, work: Work): Promise<RepoRecord> => {
    const controller = new AbortController();
    const self = { isUnwanted: hasStopped };
    const { id } = repo;
    running.set(id, self);
    const looks = setInterval(() => {
      if (self.isUnwanted) controller.abort();
    }, lookPeriod);
    try {
      return await madeOrUndone(context, account, repo, async () => {
        const stop = giveSignsOfLife(context, account, id, () => controller.abort());
        try {
          return await work(controller.signal);
        } finally {
          stop();
        }
      });
    } finally {
      clearInterval(looks);
      running.delete(id);
    }
  };

  return {
    async run(account, repo, work) {
      const done = finished(account, repo, work);
      let isAnswered = false;
      // After the reply, a client sees a failure only by the missing repo.
      const failed = (error: unknown): void => {
        if (isAnswered && !(error instanceof HostingError)) context.report(error);
      };
      context.background(done.then(() => {}, failed));
      const result = await within(context.settings.sync_wait * 1000, done);
      isAnswered = true;
      return result;
    },

    finish: finished,

    isRunning: (id) => running.has(id),

    cancel(id) {
      const work = running.get(id);
      if (work !== undefined) work.isUnwanted = true;
    },

    stop() {
      hasStopped = true;
      for (const work of running.values()) work.isUnwanted = true;
    },
  };
}

/** Records in the catalog that the work on the repo is alive (REPO-133), and ends the work when the repo is gone. */
function giveSignsOfLife(
  { catalog, clock, report }: Context,
  account: string,
  id: string,
  cancel: () => void,
): () => void {
  const timer = setInterval(() => {
    catalog(account)
      .renewRepo(id, clock.now())
      .then((isThere) => {
        if (!isThere) cancel();
      })
      .catch(report);
  }, renewPeriod);
  return () => clearInterval(timer);
}
