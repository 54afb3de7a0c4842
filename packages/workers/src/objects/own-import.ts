import { createHosting, type ImportJob } from '@packhouse/hosting';
import { sqlRepoState } from '@packhouse/storage';
import { importAnswer, type ImportAnswer } from '../calls/import-answer.ts';
import { readConfiguration } from '../environment/configuration.ts';
import { isolateEngine } from '../service/isolate-engine.ts';
import { logFailure } from '../service/log.ts';
import { remoteCatalog, workerStorage } from '../service/storage.ts';
import { withinScope } from '../service/usage.ts';
import { workerOutbound } from '../service/worker-outbound.ts';
import type { OwnRepo } from './repo-steps.ts';

/** An import in the object of its repository: an alarm may take 15 minutes, what goes on after a reply half of one. */
export class OwnImport {
  /** For who waits for it. */
  readonly done: Promise<ImportAnswer>;
  readonly #job: ImportJob;
  readonly #resolve: (answer: ImportAnswer) => void;
  #cancel: () => void = () => {};

  constructor(job: ImportJob) {
    const { promise, resolve } = Promise.withResolvers<ImportAnswer>();
    this.done = promise;
    this.#job = job;
    this.#resolve = resolve;
  }

  /** Ends it, for a repository that was deleted. */
  cancel(): void {
    this.#cancel();
  }

  /**
   * Carries it out, or undoes the repository. Never rejects.
   *
   * @param queued told when the state has events that wait to be delivered.
   * @returns whether the repository is ready.
   */
  async run({ id, driver, packs, environment, usage }: OwnRepo, queued: () => void): Promise<boolean> {
    const { dialect, settings } = readConfiguration(environment);
    const { storage, tags } = workerStorage(environment, settings.account_storage_max);
    const hosting = createHosting({
      catalog: (name) => remoteCatalog(environment, name, { usage }),
      storage: { ...storage, repo: () => ({ id, state: sqlRepoState(driver, id, queued), packs }) },
      tags,
      engine: isolateEngine(),
      authorizer: { authorize: async () => undefined },
      outbound: workerOutbound(environment),
      dialect,
      settings,
      report: logFailure,
    });
    this.#cancel = () => hosting.stop();
    const work = withinScope({ usage }, () => hosting.carryOutImport(this.#job));
    const answer = await importAnswer(work, logFailure);
    usage.bytesReserved = isolateEngine().admission.reservedMost;
    this.#resolve(answer);
    return 'repo' in answer;
  }
}
