import { HostingError } from '@packhouse/base';
import type { Hosting, ImportJob, RepoRecord } from '@packhouse/hosting';
import { sqlRepoState } from '@packhouse/storage';
import { readConfiguration } from '../environment/configuration.ts';
import { logFailure } from '../request/log.ts';
import { withinScope } from '../request/usage.ts';
import { isolateEngine } from '../service/isolate-engine.ts';
import { ownHosting } from '../service/own-hosting.ts';
import { remoteCatalog, workerStorage } from '../service/storage.ts';
import type { OwnRepo } from './repo-steps.ts';

/**
 * An import that runs in an alarm of its repository's object. An alarm may take 15 minutes, but work after a reply only
 * half a minute.
 */
export class OwnImport {
  /** Rejects only with {@link HostingError}. */
  readonly done: Promise<RepoRecord>;
  readonly #job: ImportJob;
  readonly #resolve: (repo: RepoRecord) => void;
  readonly #reject: (error: HostingError) => void;
  #cancel: () => void = () => {};

  constructor(job: ImportJob) {
    const { promise, resolve, reject } = Promise.withResolvers<RepoRecord>();
    this.done = promise;
    // The caller may have left before a rejection.
    this.done.catch(() => {});
    this.#job = job;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Ends the import of a deleted repository. */
  cancel(): void {
    this.#cancel();
  }

  /**
   * Runs the import, or undoes the repository if it fails. Never rejects.
   *
   * @param queued called when the state has undelivered events.
   * @returns true if the repository is ready.
   */
  async run(repo: OwnRepo, queued: () => void): Promise<boolean> {
    const hosting = hostingOf(repo, queued);
    this.#cancel = () => hosting.stop();
    try {
      this.#resolve(await withinScope({ usage: repo.usage }, () => hosting.carryOutImport(this.#job)));
      return true;
    } catch (error) {
      if (!(error instanceof HostingError)) logFailure(error);
      this.#reject(error instanceof HostingError ? error : new HostingError('internal'));
      return false;
    } finally {
      repo.usage.bytesReserved = isolateEngine().admission.reservedMost;
    }
  }
}

/** Delivers the due events of a repository, also to its webhooks. Returns the time of the next delivery, if any. */
export async function deliverOwnEvents(repo: OwnRepo, jurisdiction: string): Promise<number | undefined> {
  const place = { account: repo.account, id: repo.id, jurisdiction };
  const hosting = hostingOf(repo);
  const { signal } = new AbortController();
  const next = await Promise.all([hosting.deliverEvents(place, signal), hosting.deliverWebhooks(place, signal)]);
  const due = next.filter((at) => at !== undefined);
  return due.length === 0 ? undefined : Math.min(...due);
}

/** Makes the hosting service, with the state of this repository in the object's own database. */
function hostingOf({ id, driver, packs, environment, usage }: OwnRepo, queued?: () => void): Hosting {
  const { settings } = readConfiguration(environment);
  const { repos, tags } = workerStorage(environment, settings.account_storage_max);
  return ownHosting(environment, {
    catalog: (name) => remoteCatalog(environment, name, usage),
    repos: { ...repos, repo: () => ({ id, state: sqlRepoState(driver, id, queued), packs }) },
    tags,
  });
}
