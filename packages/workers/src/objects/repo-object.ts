import { DurableObject } from 'cloudflare:workers';
import { RepoGoneError, type CommitOutcome, type NewPack, type PreparedRecords } from '@packhouse/git';
import { tokenState, type RepoPlace } from '@packhouse/hosting';
import { createRateLimiter, systemClock, type RateLimiter } from '@packhouse/base';
import { memoryRepoState, nextDeliveryAt, repoStateMigrations, sqlRepoState } from '@packhouse/storage';
import { sqlPackReservations, type MaintainedRepoState, type PackReservations } from '@packhouse/storage/workers';
import { answerCall, withMethods, type Answer, type PortObject } from '../calls/remote-port.ts';
import { repoPorts, type RepoPorts } from '../calls/repo-ports.ts';
import { readConfiguration } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';
import { gatherRefs } from './gather-refs.ts';
import { ObjectTables } from './object-tables.ts';
import { OwnImport } from './own-import.ts';
import { maintainDelay, moveDelay, repoAlarm, touchDelay, type RepoFact, type RepoStep } from './repo-alarm.ts';
import { areKept, hasManyRows, preparedRecords, uploadAge } from './repo-steps.ts';

/**
 * The Durable Object of one repository. It stores the refs, tokens, manifest, small recent packs, and reservations of
 * uploads. Every call except imports and refs is one synchronous transaction. An object without a `begin` has no
 * tables, and answers like a deleted repository.
 */
export class RepoObject extends DurableObject<Environment> implements PortObject<RepoPlace> {
  readonly #tables: ObjectTables<RepoStep, RepoFact>;
  #rate: RateLimiter | undefined;
  #import: OwnImport | undefined;

  constructor(context: DurableObjectState, environment: Environment) {
    super(context, environment);
    const migrations = { 'repo-state': repoStateMigrations };
    this.#tables = new ObjectTables({ context, migrations, prepared: () => this.#planLeftOver() });
  }

  async callPort(port: string, place: RepoPlace, method: string, given: readonly unknown[]): Promise<Answer> {
    return answerCall(repoPorts, () => this.#ports(place), { port, method, given });
  }

  override async alarm(): Promise<void> {
    await this.#tables.onAlarm(() =>
      repoAlarm({
        tables: this.#tables,
        environment: this.env,
        ownImport: this.#import,
        queued: () => this.#planDelivery(),
      }),
    );
  }

  #ports({ id, jurisdiction }: RepoPlace): RepoPorts {
    const { schedule } = this.#tables;
    return {
      state: withMethods(this.#tables.exist ? this.#state(id) : memoryRepoState(), {
        begin: async (head, firstToken, events) => {
          await this.#tables.prepare();
          this.#tables.noteFact('jurisdiction', jurisdiction);
          this.#tables.noteFact('account', head.account);
          return this.#state(id).begin(head, firstToken, events);
        },
        open: async (secretHash, known) => {
          if (!this.#tables.exist) return { kind: 'gone' } as const;
          const opened = await this.#state(id).open(secretHash, known);
          if (opened.kind === 'gone') return opened;
          // Only requests with an active token count. Other clients must not learn that the repo exists (GIT-008,
          // GIT-031).
          const { token } = opened;
          const counts = secretHash === null || (token !== undefined && tokenState(token, Date.now()) === 'active');
          // The rate limit of one repository (LIM-053).
          this.#rate ??= createRateLimiter(readConfiguration(this.env).settings.rate_git, systemClock);
          const retryAfter = counts ? await this.#rate.admit('') : undefined;
          return retryAfter === undefined ? opened : { ...opened, retryAfter };
        },
        refs: async (version, query) => gatherRefs(this.#state(id), version, query),
        commit: async (change) => {
          const state = this.#state(id);
          await this.#demandUploads(id, state, change.pushId, change.addPacks);
          // Plan before the commit, in the same turn and so in the same write, so that no commit lacks its steps.
          schedule.plan('touch', change.at + touchDelay);
          schedule.plan('maintain', change.at + maintainDelay);
          const outcome: CommitOutcome = await state.commit(change);
          if (hasManyRows(await state.rowPacks())) {
            // A merge joins these packs. The later step moves them if they are still too many or too large.
            schedule.plan('maintain', change.at);
            schedule.plan('move rows', change.at + moveDelay);
          }
          return { outcome, storedBytes: await state.storedBytes() };
        },
        replacePacks: async (replacement) => {
          const state = this.#state(id);
          const { add } = replacement;
          if (add !== undefined) await this.#demandUploads(id, state, replacement.id, [add]);
          return state.replacePacks(replacement);
        },
        planMaintenance: async (at, known) => {
          const state = this.#state(id);
          if (at !== undefined) schedule.plan('maintain', at);
          return state.planMaintenance(at, known);
        },
        erase: async (event) => {
          // Also without a `begin`: a creation may be under way, and must not succeed after the erasure.
          await this.#tables.prepare();
          this.#import?.cancel();
          return this.#state(id).erase(event);
        },
        forget: async (isUnheard) => {
          if (!this.#tables.exist) return true;
          if (!(await this.#state(id).forget(isUnheard))) return false;
          const [alive] = this.#tables.driver.all('SELECT 1 FROM repos LIMIT 1');
          if (alive === undefined) await this.#tables.deleteAll();
          return true;
        },
      }),
      reservations: this.#tables.exist
        ? withMethods(sqlPackReservations(this.#tables.driver, id), {
            reserve: async (packs, at) => {
              schedule.plan('sweep uploads', at + uploadAge);
              return sqlPackReservations(this.#tables.driver, id).reserve(packs, at);
            },
          })
        : noReservations,
      prepared: this.#tables.exist ? preparedRecords(this.#tables, id) : noPrepared,
      imports: {
        carryOut: async (job) => {
          if (!this.#tables.exist) throw gone();
          this.#import ??= new OwnImport(job);
          schedule.plan('import', Date.now());
          return this.#import.done;
        },
      },
    };
  }

  /** @throws {RepoGoneError} if there are no tables. */
  #state(id: string): MaintainedRepoState {
    if (!this.#tables.exist) throw gone();
    return sqlRepoState(this.#tables.driver, id, () => this.#planDelivery());
  }

  /** GIT-155: rejects a push or merge that took longer than uploads are kept. */
  async #demandUploads(
    id: string,
    state: MaintainedRepoState,
    pushId: string,
    addPacks: readonly NewPack[],
  ): Promise<void> {
    if (await areKept(addPacks, sqlPackReservations(this.#tables.driver, id), Date.now())) return;
    if ((await state.outcome(pushId)) === undefined) throw new Error('the uploads of a pack were begun too long ago');
  }

  #planDelivery(): void {
    const due = nextDeliveryAt(this.#tables.driver);
    if (due !== undefined) this.#tables.schedule.plan('deliver events', due);
  }

  /** Plans steps that the database needs but an earlier version of this object did not plan. */
  #planLeftOver(): void {
    const { driver, schedule } = this.#tables;
    // The object may be older than maintenance.
    const [due] = driver.all<{ at: number }>('SELECT maintain_at AS at FROM repos WHERE maintain_at IS NOT NULL');
    if (due !== undefined) schedule.planFirst('maintain', due.at);
    // Events may have been queued while no sink was configured.
    const queuedAt = nextDeliveryAt(driver);
    if (queuedAt !== undefined) schedule.planFirst('deliver events', queuedAt);
  }
}

const noReservations: PackReservations = {
  reserve: async () => {
    throw gone();
  },
  before: async () => [],
  drop: async () => {},
};

const noPrepared: PreparedRecords = {
  take: async () => undefined,
  begin: async () => {
    throw gone();
  },
  finish: async () => {},
  drop: async () => {},
};

function gone(): RepoGoneError {
  return new RepoGoneError('The repository was deleted');
}
