import type { GitEngine } from '@packhouse/git';
import { HostingError, type RawFields } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { PlannedBytes } from '../limits/planned-bytes.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import { beginRepo, type CreatedRepo } from '../lifecycle/begin-repo.ts';
import { findReadyRepo, requireReady } from '../lookup/find-repo.ts';
import type { LongWork } from '../lifecycle/long-work.ts';
import { fillFork } from './fill-fork.ts';
import { readForkRequest, type ForkRequest } from './fork-request.ts';

/** A fork that was just created. */
export interface ForkedRepo extends CreatedRepo {
  /** Git objects in the fork so far (REPO-053, REPO-132). */
  readonly objects: number;
}

/**
 * Creates forks in this process. Members of `body`: `name`, `description`, `read_only`, `default_branch_only`
 * (REPO-120). Each method returns when the fork is ready, or after LIM-014 while the work continues (REPO-132). It
 * throws {@link HostingError} if the fork fails. No repo remains then (REPO-133).
 */
export interface Forks {
  start(account: string, namespace: string, name: string, body: RawFields): Promise<ForkedRepo>;
  /** `id` is the id of the parent. */
  startById(account: string, id: string, body: RawFields): Promise<ForkedRepo>;
}

export function createForks(context: Context, engine: GitEngine, longWork: LongWork): Forks {
  const planned = new PlannedBytes();
  const fork = async (
    account: string,
    parent: RepoRecord,
    { name, description, readOnly, defaultBranchOnly }: ForkRequest,
  ): Promise<ForkedRepo> => {
    const { namespace, defaultBranch } = parent;
    const source = `${context.dialect.forkSourcePrefix}${namespace}/${parent.name}`;
    const { repo, token, firstToken } = await beginRepo(
      context,
      account,
      { namespace, name, description, readOnly, defaultBranch },
      { source, parentId: parent.id, rootId: parent.rootId ?? parent.id, status: 'forking' },
      'forking',
    );
    const progress = { objects: 0 };
    const ready = await longWork.run(account, repo, (signal) =>
      fillFork(context, engine, { account, parent, repo, firstToken, defaultBranchOnly, planned, signal, progress }),
    );
    return { repo: ready ?? repo, token, objects: progress.objects };
  };

  return {
    async start(account, namespace, name, body) {
      const request = readForkRequest(body, context.settings);
      return fork(account, await findReadyRepo(context, account, namespace, name), request);
    },

    async startById(account, id, body) {
      const request = readForkRequest(body, context.settings);
      const parent = await context.catalog(account).repoById(id);
      if (parent === undefined) throw new HostingError('repoNotFound');
      requireReady(parent.status);
      return fork(account, parent, request);
    },
  };
}
