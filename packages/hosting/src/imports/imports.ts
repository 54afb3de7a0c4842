import type { GitEngine } from '@packhouse/git';
import { HostingError, type RawFields } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import type { Outbound } from '../ports/outbound.ts';
import { beginRepo, type CreatedRepo } from '../lifecycle/begin-repo.ts';
import type { LongWork } from '../lifecycle/long-work.ts';
import { fillRepo } from './fill-repo.ts';
import type { ImportElsewhere, ImportJob } from './import-job.ts';
import { cloneUrl, readImportRequest } from './import-request.ts';
import { Turns } from './turns.ts';

/** Imports of this process. */
export interface Imports {
  /**
   * Starts an import. Returns when the repo is ready, or after LIM-014 while the work continues (REPO-132).
   *
   * @throws {HostingError} if the import fails. No repo remains then (REPO-133).
   */
  start(account: string, namespace: string, name: string, body: RawFields): Promise<CreatedRepo>;
  /**
   * Carries out an import, and returns only when it has ended.
   *
   * @throws {HostingError} if the import fails. No repo remains then (REPO-133).
   */
  carryOut(job: ImportJob): Promise<RepoRecord>;
}

/** Imports of one account that may wait (LIM-022), and the seconds of `Retry-After` for one more. */
const waitingMax = 100;
const retryAfter = 30;

/** Creates {@link Imports}. Without `outbound`, every import fails. Without `elsewhere`, this process does the work. */
export function createImports(
  context: Context,
  engine: GitEngine,
  longWork: LongWork,
  outbound: Outbound | undefined,
  elsewhere?: ImportElsewhere,
): Imports {
  const unreachable = (): HostingError => new HostingError('upstreamUnavailable');
  const turns = new Turns(context.settings.imports_max);
  /** Imports that run or wait here, by account. */
  const begun = new Map<string, number>();
  /** Counts an import of an account until the caller calls the returned function. */
  const enter = (account: string): (() => void) => {
    const others = begun.get(account) ?? 0;
    if (others >= context.settings.imports_max + waitingMax) throw new HostingError('rate', { retryAfter });
    begun.set(account, others + 1);
    let isCounted = true;
    return () => {
      if (!isCounted) return;
      isCounted = false;
      const left = (begun.get(account) ?? 0) - 1;
      if (left > 0) begun.set(account, left);
      else begun.delete(account);
    };
  };
  const fill = ({ url, ...job }: ImportJob, signal: AbortSignal): Promise<RepoRecord> => {
    if (outbound === undefined) throw unreachable();
    const patience = context.settings.import_timeout * 1000;
    const end = performance.now() + patience;
    return turns.run(job.account, signal, patience, () =>
      fillRepo(context, engine, { ...job, url: new URL(url), outbound, end, signal }),
    );
  };
  return {
    async start(account, namespace, name, body) {
      const request = readImportRequest(namespace, name, body, context.settings);
      if (outbound === undefined) throw unreachable();
      const { description, readOnly, branch: defaultBranch = 'main' } = request;
      const source = `git:${cloneUrl(request.url)}`;
      const leave = elsewhere === undefined ? enter(account) : () => {};
      try {
        const { repo, token, firstToken } = await beginRepo(
          context,
          account,
          { namespace, name, description, readOnly, defaultBranch },
          { source, parentId: null, rootId: null, status: 'importing' },
          'importing',
        );
        const { url, branch, depth } = request;
        const job: ImportJob = { account, repo, firstToken, url: url.href, branch, depth };
        const ready = await longWork.run(account, repo, async (signal) => {
          try {
            return await (elsewhere?.(job) ?? fill(job, signal));
          } finally {
            leave();
          }
        });
        return { repo: ready ?? repo, token };
      } catch (error) {
        leave();
        throw error;
      }
    },

    carryOut: (job) => longWork.finish(job.account, job.repo, (signal) => fill(job, signal)),
  };
}
