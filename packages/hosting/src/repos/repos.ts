import { openById, type RepoIdentity } from '../lookup/open-repo.ts';
import { HostingError, Fields, type RawFields } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { readPage, readPageRequest, type Page } from '../lists/page.ts';
import { foldName } from '../names/fold.ts';
import { nameMax } from '../names/name-max.ts';
import { parseRepoName } from '../names/repo-name.ts';
import type { RepoList, RepoRecord, RepoSort } from '../ports/catalog.ts';
import type { Forks } from '../forks/forks.ts';
import type { Imports } from '../imports/imports.ts';
import type { CreatedRepo } from '../lifecycle/begin-repo.ts';
import { createRepo } from '../lifecycle/create.ts';
import { detachRepo, eraseDeleted } from '../lifecycle/erase.ts';
import type { LongWork } from '../lifecycle/long-work.ts';
import { readRepoRequest } from '../lifecycle/new-repo.ts';
import {
  repoDetails,
  repoInfo,
  type CreateRepoResult,
  type ForkRepoResult,
  type RepoDetails,
  type RepoListItem,
} from './repo-info.ts';
import { findReadyRepo } from '../lookup/find-repo.ts';
import type { KnownRepos } from '../lookup/known-repos.ts';
import { updateRepo } from './update-repo.ts';
import { readUpdateRequest } from './update-request.ts';

/** Work that makes repos of others. */
export interface RepoWork {
  readonly longWork: LongWork;
  readonly imports: Imports;
  readonly forks: Forks;
}

/** Repos of an account. Methods throw {@link HostingError} for errors that clients may see. */
export interface Repos {
  /** Members of `body`: `name`, `description`, `default_branch`, `read_only` (REPO-110). */
  create(account: string, namespace: string, body: RawFields): Promise<CreateRepoResult>;
  /** Members of `body`: `url`, `branch`, `depth`, `read_only`, `description` (REPO-125 to REPO-133). */
  import(account: string, namespace: string, name: string, body: RawFields): Promise<CreateRepoResult>;
  /** Members of `body`: `name`, `description`, `read_only`, `default_branch_only` (REPO-120 to REPO-124). */
  fork(account: string, namespace: string, name: string, body: RawFields): Promise<ForkRepoResult>;
  /** Forks a parent by its id, even if its name has changed. */
  forkById(account: string, id: string, body: RawFields): Promise<ForkRepoResult>;
  /** Parameters in `query`: `limit`, `cursor`, `page`, `search`, `sort`, `direction` (REPO-090, REPO-114). */
  list(account: string, namespace: string, query: RawFields): Promise<Page<RepoListItem>>;
  /**
   * Ready repos only (REPO-089).
   *
   * @param within Ids of the only repos that the caller may reach. Default: all.
   */
  get(account: string, namespace: string, name: string, within?: readonly string[]): Promise<RepoDetails>;
  /** Members of `body`: `name`, `description`, `default_branch`, `read_only` (REPO-237). Ready repos only. */
  update(
    account: string,
    namespace: string,
    name: string,
    body: RawFields,
    within?: readonly string[],
  ): Promise<RepoDetails>;
  /** Updates a repo by its id, even if its name has changed. */
  updateById(account: string, id: string, body: RawFields): Promise<RepoDetails>;
  /** Finds a ready repo (REPO-089), for callers that keep it open. */
  find(account: string, namespace: string, name: string): Promise<RepoIdentity>;
  /** Returns a repo by its id, even if its name has changed. */
  getById(account: string, id: string): Promise<RepoDetails>;
  /** Repos of the namespace, in any state; 0 if it is missing. */
  count(account: string, namespace: string): Promise<number>;
  /** Answers when the deletion is durable and nothing of the repo readable (REPO-116 to REPO-119). */
  delete(account: string, namespace: string, name: string, within?: readonly string[]): Promise<DeletedNow>;
}

/** A repo that is deleted. */
export interface DeletedNow {
  readonly id: string;
  /** True if it was deleted before, and is still remembered (REPO-117). */
  readonly isRepeated: boolean;
}

const sorts: readonly RepoSort[] = ['created_at', 'updated_at', 'last_push_at', 'name'];

export function createRepos(context: Context, known: KnownRepos, { longWork, imports, forks }: RepoWork): Repos {
  const { catalog, clock, remotes, settings } = context;
  const limits = { default: settings.repos_page_default, max: settings.repos_page_max };
  const remote = (account: string, repo: RepoRecord): string =>
    remotes.fill({ account, namespace: repo.namespace, repo: repo.name });
  const result = (account: string, { repo, token }: CreatedRepo): CreateRepoResult => ({
    id: repo.id,
    name: repo.name,
    description: repo.description,
    default_branch: repo.defaultBranch,
    remote: remote(account, repo),
    token,
  });

  const details = async (account: string, repo: RepoRecord): Promise<RepoDetails> => {
    const { id, jurisdiction } = repo;
    const { snapshot } = await openById(context, known, { account, id, jurisdiction });
    return repoDetails(repo, remote(account, repo), snapshot);
  };

  const byId = async (account: string, id: string): Promise<RepoRecord> => {
    const repo = await catalog(account).repoById(id);
    if (repo === undefined) throw new HostingError('repoNotFound');
    return repo;
  };

  return {
    async create(account, namespace, body) {
      return result(account, await createRepo(context, account, readRepoRequest(namespace, body, settings)));
    },

    async import(account, namespace, name, body) {
      return result(account, await imports.start(account, namespace, name, body));
    },

    async fork(account, namespace, name, body) {
      const forked = await forks.start(account, namespace, name, body);
      return { ...result(account, forked), objects: forked.objects };
    },

    async forkById(account, id, body) {
      const forked = await forks.startById(account, id, body);
      return { ...result(account, forked), objects: forked.objects };
    },

    async list(account, namespace, query) {
      const fields = new Fields(query);
      const { list, page } = await readPageRequest(fields, limits, () => {
        const search = foldName(fields.optionalString('search', settings.search_max) ?? '');
        const sort = fields.option('sort', sorts, 'created_at');
        const direction = fields.option('direction', ['asc', 'desc'], 'desc');
        return {
          search,
          sort,
          direction,
          query: ['repos', account, foldName(namespace), search, sort, direction],
          keyType: sort === 'name' ? ('string' as const) : ('number' as const),
        };
      });
      const { rows, info } = await readPage<RepoRecord>(
        {
          ...list,
          rows: (slice) => catalog(account).repos(namespace, list, slice),
          count: () => catalog(account).countRepos(namespace, list.search),
          place: (repo) => ({ key: sortKey(repo, list.sort), tie: repo.id }),
        },
        page,
      );
      return { rows: rows.map((repo) => ({ ...repoInfo(repo, remote(account, repo)), status: repo.status })), info };
    },

    async get(account, namespace, name, within) {
      return details(account, await findReadyRepo(context, account, namespace, name, within));
    },

    async update(account, namespace, name, body, within) {
      const request = readUpdateRequest(body, settings);
      const found = await findReadyRepo(context, account, namespace, name, within);
      return details(account, await updateRepo(context, account, found, request));
    },

    async updateById(account, id, body) {
      const request = readUpdateRequest(body, settings);
      return details(account, await updateRepo(context, account, await byId(account, id), request));
    },

    async find(account, namespace, name) {
      // No repo has such a name, and a store may refuse to look up a name of any length.
      if ('broken' in parseRepoName(name, nameMax)) throw new HostingError('repoNotFound');
      const { id, jurisdiction } = await findReadyRepo(context, account, namespace, name);
      return { account, id, jurisdiction };
    },

    async getById(account, id) {
      return details(account, await byId(account, id));
    },

    count: (account, namespace) => catalog(account).countRepos(namespace, ''),

    async delete(account, namespace, name, within) {
      const now = clock.now();
      const rememberedSince = now - settings.delete_memory * 1000;
      const outcome = await catalog(account).deleteRepo(namespace, name, now, rememberedSince, within);
      if (outcome.kind === 'missing') throw new HostingError('repoNotFound');
      // Also when repeated: the first attempt may have died between the two steps.
      longWork.cancel(outcome.repo.id);
      if (!outcome.erased) {
        await detachRepo(context, account, outcome.repo);
        context.background(eraseDeleted(context, account));
      }
      return { id: outcome.repo.id, isRepeated: outcome.kind === 'remembered' };
    },
  };
}

function sortKey(repo: RepoRecord, sort: RepoList['sort']): number | string {
  switch (sort) {
    case 'created_at':
      return repo.createdAt;
    case 'updated_at':
      return repo.updatedAt;
    case 'last_push_at':
      return repo.lastPushAt ?? -1;
    case 'name':
      return foldName(repo.name);
  }
}
