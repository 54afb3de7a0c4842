import type { RepoIdentity } from './lookup/open-repo.ts';
import type { Dialect } from './dialect/dialect.ts';
import { WorkAbortedError, type GitEngine, type PushOutcome, type RequestWork, type WorkOptions } from '@packhouse/git';
import { createContent, type Content } from './content/content.ts';
import { neutral } from './dialect/neutral.ts';
import {
  HostingError,
  createRateLimiter,
  type CreateRateLimiter,
  type Authorizer,
  systemClock,
  type Clock,
  randomIds,
  type Ids,
} from '@packhouse/base';
import { gitEvents, type GitEvents } from './git/git-events.ts';
import { createOpenForGit, type GitAccess, type OpenForGit } from './git/open-for-git.ts';
import { capacityError } from './limits/capacity-error.ts';
import { createCommits, type Commits } from './commits/commits.ts';
import { createMerges, type Merges } from './merges/merges.ts';
import { configuredSink, postOptions } from './events/configured-sink.ts';
import { webhookPoster } from './events/webhook-sink.ts';
import { createWebhooks, type Webhooks } from './webhooks/webhooks.ts';
import { deliverRepoEvents } from './events/deliver-repo-events.ts';
import { deliverRepoWebhooks } from './webhooks/deliver-repo-webhooks.ts';
import type { Context, RemoveTags, RenameTags } from './internal/context.ts';
import { createForks } from './forks/forks.ts';
import type { ImportElsewhere, ImportJob } from './imports/import-job.ts';
import { createImports } from './imports/imports.ts';
import { storageRoom } from './limits/storage-room.ts';
import { foldName } from './names/fold.ts';
import { createNamespaces, type Namespaces } from './namespaces/namespaces.ts';
import type { ApiTokenStores } from './ports/api-tokens.ts';
import type { Catalogs, Touch, RepoRecord } from './ports/catalog.ts';
import type { OnEvent } from './ports/on-event.ts';
import type { Outbound } from './ports/outbound.ts';
import type { HostedRepo, HostedRepoState, RepoStorage } from './ports/repo-storage.ts';
import type { WorkStorage } from './ports/work-leases.ts';
import { recordPush, type PushedRepo } from './changes/record-push.ts';
import { createRemotes, type Remotes } from './internal/remotes.ts';
import { KnownRepos } from './lookup/known-repos.ts';
import { createLongWork } from './lifecycle/long-work.ts';
import { createRefs, type Refs } from './refs/refs.ts';
import { createRepos, type Repos } from './repos/repos.ts';
import { sweep } from './lifecycle/sweep.ts';
import { resolveSettings, type Settings } from './settings/settings.ts';
import { createRepoTokens, type RepoTokens } from './tokens/repo-tokens.ts';
import { createApiTokens, type ApiTokens } from './tokens/api-tokens.ts';
import { createAuthorize, type Authorize } from './tokens/authorize.ts';
import { createTokens, type Tokens } from './tokens/tokens.ts';

export interface HostingOptions {
  readonly catalog: Catalogs;
  readonly storage: RepoStorage;
  /** The engine that Git requests and reads of content share. */
  readonly engine: GitEngine;
  /**
   * Receives an event for each change that REPO-192 names. Default: the sink of the setting `webhook_url`. Without both,
   * events are recorded for webhooks alone, unless the setting `events_kept` keeps them.
   */
  readonly onEvent?: OnEvent | undefined;
  /** Finds what API tokens allow, those of `apiTokens`, too: see {@link authorizeStored}. */
  readonly authorizer: Authorizer;
  /** Keeps API tokens that clients create. Default: there are no routes for them. */
  readonly apiTokens?: ApiTokenStores | undefined;
  /**
   * Removes the tags of a deleted repo (TAG-127). A deletion awaits it, and is repeated until it resolves. Default: repos
   * have no tags.
   */
  readonly removeTags?: RemoveTags | undefined;
  /** Renames the tags of a renamed repo (REPO-238). Repeated until it resolves. Default: repos have no tags. */
  readonly renameTags?: RenameTags | undefined;
  /** Lets imports and webhooks reach other hosts. Default: no imports and no webhooks. */
  readonly outbound?: Outbound;
  /** Runs imports elsewhere, if requests may not last as long. Default: they run in this process. */
  readonly importElsewhere?: ImportElsewhere;
  /** Default: `neutral`. */
  readonly dialect?: Dialect;
  /**
   * Creates the counter of each rate (LIM-001, LIM-053), except for Git if the storage counts. Default: a counter in
   * memory.
   */
  readonly createLimiter?: CreateRateLimiter;
  /** Missing settings have their defaults. */
  readonly settings?: Partial<Settings>;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Maximum bytes of cached snapshots of repos, about 220 a ref. Default 16 MiB. */
  readonly snapshotCache?: number;
  /** Keeps the process alive for work that continues after a reply, such as `waitUntil`. The work never rejects. */
  readonly background?: (work: Promise<void>) => void;
  /** Receives each committed push that could not be recorded in the catalog (GIT-159). Default: no call. */
  readonly unheard?: ((repo: PushedRepo, state: HostedRepoState) => void) | undefined;
  /** Receives failures of background work and of the sweep, which repeats it. Must not throw. */
  readonly report?: (error: unknown) => void;
}

/** The service, the same for REST, Git and the binding. Methods throw {@link HostingError} for errors that clients may see. */
export interface Hosting {
  readonly dialect: Dialect;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly remotes: Remotes;
  readonly namespaces: Namespaces;
  readonly repos: Repos;
  readonly tokens: Tokens;
  readonly apiTokens: ApiTokens;
  /** Tokens of a repo by its id, for callers that keep a repo open. */
  readonly repoTokens: RepoTokens;
  /** Webhooks of repos and namespaces. */
  readonly webhooks: Webhooks;
  /** Reads commits, trees and files. */
  readonly content: Content;
  /** Reads and changes branches, tags and other refs. */
  readonly refs: Refs;
  /** Makes commits. */
  readonly commits: Commits;
  /** Merges, picks and reverts commits. */
  readonly merges: Merges;
  /** Opens the account of work of one request, or of one piece of background work. */
  beginWork(options: WorkOptions): RequestWork;
  /**
   * Reserves memory of a request that its work does not count, such as its body (LIM-080). Waits for room.
   *
   * @returns the function that releases it; undefined if the client left meanwhile.
   * @throws {HostingError} `memoryLimit` or `overloaded`.
   */
  holdMemory(bytes: number, options: WorkOptions): Promise<(() => void) | undefined>;
  /**
   * Reserves memory without waiting, for a reply that exists already.
   *
   * @throws {HostingError} `memoryLimit` or `overloaded`.
   */
  holdMemoryAtOnce(bytes: number, options: WorkOptions): () => void;
  /** Opens a repo for one Git request; throws `GitRefusal` (GIT-025 to GIT-034). */
  readonly openForGit: OpenForGit;
  /** Returns the recorder of events of a Git request; undefined if no events are recorded. */
  gitEvents(access: GitAccess): GitEvents | undefined;
  /**
   * Checks a platform API token for a part of an account (REPO-030 to REPO-032, REPO-365).
   *
   * @throws {HostingError} `authentication`, `permission`, or for a part that the token does not reach, the error of a
   *   missing one.
   */
  readonly authorize: Authorize;
  /**
   * Counts a request of the control plane, per namespace or else per account (LIM-001).
   *
   * @throws {HostingError} `rate`.
   */
  admit(account: string, namespace: string | undefined): Promise<void>;
  /**
   * Records a push that changed a ref; call it before the reply (REPO-057, GIT-159). A failure goes to `unheard`, too,
   * and does not undo the push.
   */
  recordPush(pushed: PushedRepo, repo: HostedRepo, outcome: PushOutcome): Promise<void>;
  /** Records the last push of a repo in the catalog. */
  touch(account: string, repoId: string, push: Touch): Promise<void>;
  /** Returns the bytes that the account may still store (LIM-012), at least 0. The engine checks the limit of a repo. */
  storageRoom(account: string): Promise<number>;
  /**
   * Finishes or undoes operations that stopped half-way. Call it at the start (with `grace: 0` if no other process uses
   * the storage), and every 30 s. Never rejects: failures are reported, and the next call retries.
   *
   * @param options.storage The storage of a lease. Default: that of the service.
   */
  sweep(
    account: string,
    options?: { readonly grace?: number | undefined; readonly storage?: WorkStorage },
  ): Promise<void>;
  /** Receives failures that no caller gets. Never throws. */
  readonly report: (error: unknown) => void;
  /** True if the service has an own listener, so that recorded events must be delivered. */
  readonly hasListener: boolean;
  /** True if the service reaches other hosts, so that users may have webhooks. */
  readonly hasWebhooks: boolean;
  /**
   * Delivers the due events of one repo in their order (REPO-190, REPO-198). Reports a failure, and retries later. Never
   * call it twice at once for a repo.
   *
   * @param signal Stops the delivery; an event under way comes again.
   * @param storage The storage of a lease. Default: that of the service.
   * @returns the time of the next call in milliseconds since 1970; undefined if no event waits, or without a listener.
   */
  deliverEvents(repo: RepoIdentity, signal: AbortSignal, storage?: WorkStorage): Promise<number | undefined>;
  /** Delivers the due events of one repo to its webhooks and those of its namespace. The rest is as for `deliverEvents`. */
  deliverWebhooks(repo: RepoIdentity, signal: AbortSignal, storage?: WorkStorage): Promise<number | undefined>;
  /**
   * Runs an import that another process has begun, to its end.
   *
   * @throws {HostingError} if the import fails; then the repo does not exist (REPO-133).
   */
  carryOutImport(job: ImportJob): Promise<RepoRecord>;
  /** Ends running imports and forks, which leave nothing. Call it before you await background work. */
  stop(): void;
}

/**
 * Opens the service without HTTP. `packhouse` of `@packhouse/router` calls it, and adds tags and HTTP.
 *
 * @throws {SettingsError} if a setting breaks a rule.
 * @example
 * import { createGitEngine } from '@packhouse/git';
 * import { portableCodec } from '@packhouse/git/codec-portable';
 * import { createHosting } from '@packhouse/hosting';
 * import { memoryCatalogs, memoryRepos } from '@packhouse/storage';
 *
 * const { repos } = createHosting({
 *   engine: createGitEngine({ codec: portableCodec() }),
 *   catalog: memoryCatalogs(),
 *   storage: memoryRepos(),
 *   authorizer: { authorize: async () => undefined },
 * });
 * const { remote, token } = await repos.create('local', 'default', { name: 'notes' });
 */
export function createHosting(options: HostingOptions): Hosting {
  const { catalog, storage, authorizer, dialect = neutral, clock = systemClock, ids = randomIds } = options;
  const { createLimiter = createRateLimiter, engine } = options;
  const settings = resolveSettings(options.settings ?? {}, dialect);
  const report = (error: unknown): void => options.report?.(error);
  const posting = postOptions(settings.user_webhook_allow, { outbound: options.outbound, dialect, clock });
  const context: Context = {
    dialect,
    settings,
    remotes: createRemotes(settings, dialect),
    catalog,
    storage,
    apiTokens: options.apiTokens,
    removeTags: options.removeTags,
    renameTags: options.renameTags,
    events: options.onEvent ?? configuredSink(settings, { outbound: options.outbound, dialect, clock }),
    postWebhook: posting && webhookPoster(posting),
    createLimiter,
    clock,
    ids,
    background(work) {
      const safe = work.catch(report);
      options.background?.(safe);
    },
    report,
    unheard: (...push) => options.unheard?.(...push),
  };
  const over = (leased: WorkStorage | undefined): Context =>
    leased === undefined ? context : { ...context, catalog: leased.catalog, storage: leased.repos };
  const longWork = createLongWork(context);
  const forks = createForks(context, engine, longWork);
  const imports = createImports(context, engine, longWork, options.outbound, options.importElsewhere);
  const limiter = createLimiter(settings.rate_rest, clock, 'rate_rest');
  const known = new KnownRepos(options.snapshotCache ?? 16 * 1_048_576);
  const repoTokens = createRepoTokens(context);

  return {
    dialect,
    settings,
    clock,
    ids,
    remotes: context.remotes,
    namespaces: createNamespaces(context),
    repos: createRepos(context, known, { longWork, imports, forks }),
    tokens: createTokens(context, repoTokens),
    apiTokens: createApiTokens(context, authorizer),
    repoTokens,
    webhooks: createWebhooks(context),
    content: createContent(context, known, engine),
    refs: createRefs(context, known, engine),
    commits: createCommits(context, known, engine),
    merges: createMerges(context, known, engine),
    beginWork: (options) => engine.scheduler.begin(options),
    async holdMemory(bytes, options) {
      try {
        const reservation = await engine.admission.reserve(bytes, false, options);
        return () => reservation.release();
      } catch (error) {
        if (error instanceof WorkAbortedError) return undefined;
        throw capacityError(error) ?? error;
      }
    },

    holdMemoryAtOnce(bytes, options) {
      try {
        const reservation = engine.admission.reserveAtOnce(bytes, options);
        return () => reservation.release();
      } catch (error) {
        throw capacityError(error) ?? error;
      }
    },

    openForGit: createOpenForGit(context, known),
    gitEvents: (access) => gitEvents(context, access),

    authorize: createAuthorize(context, authorizer),

    async admit(account, namespace) {
      const key = JSON.stringify([account, namespace === undefined ? null : foldName(namespace)]);
      const retryAfter = await limiter.admit(key);
      if (retryAfter !== undefined) throw new HostingError('rate', { retryAfter });
    },

    recordPush: (...push) => recordPush(context, ...push),

    touch: (account, repoId, push) => catalog(account).touch(repoId, push),

    storageRoom: (account) => storageRoom(context, account),

    hasListener: context.events !== undefined,
    hasWebhooks: posting !== undefined,

    deliverEvents: (repo, signal, leased) => deliverRepoEvents(over(leased), repo, signal),

    deliverWebhooks: (repo, signal, leased) => deliverRepoWebhooks(over(leased), repo, signal),

    sweep: (account, { grace, storage: leased } = {}) =>
      sweep(over(leased), account, { grace, isAlive: longWork.isRunning }),

    report,

    carryOutImport: (job) => imports.carryOut(job),
    stop: () => longWork.stop(),
  };
}
