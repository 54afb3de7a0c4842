import { DurableObject } from 'cloudflare:workers';
import type {
  CommitOutcome,
  NewPack,
  PackFile,
  PackId,
  PackReplacement,
  RecordedEvent,
  RefPage,
  RefQuery,
  ReplaceOutcome,
  RepoChange,
  RetiredPack,
  RetiredTip,
  RowFile,
} from '@packhouse/git';
import {
  tokenState,
  type ImportJob,
  type LastPush,
  type PendingEvents,
  type RepoHead,
  type RepoStatus,
  type TokenList,
  type TokenPart,
  type TokenRecord,
} from '@packhouse/hosting';
import { type RateLimiter, migrate, type SqlDriver } from '@packhouse/base';
import { nextQueueAt, repoStateMigrations, sqlRepoState } from '@packhouse/storage';
import { durableObjectSql } from '@packhouse/base/durable-object';
import { sqlPackReservations, type MaintainedRepoState, type PackReservations } from '@packhouse/storage/workers';
import { answerOf, type Answer } from '../calls/answer.ts';
import type { ImportAnswer } from '../calls/import-answer.ts';
import type { Committed, RepoCalls, SentOpened } from '../calls/repo-calls.ts';
import { sendLists, type SentLists } from '../calls/sent-lists.ts';
import { sendSnapshot, type SentSnapshot } from '../calls/sent-snapshot.ts';
import type { Environment } from '../environment/environment.ts';
import { Facts } from './facts.ts';
import { gatherRefs } from './gather-refs.ts';
import { hasTables } from './has-tables.ts';
import { neverThrowing } from './never-throwing.ts';
import { OwnImport } from './own-import.ts';
import { rateOfRepo } from './rate-of-repo.ts';
import { maintainDelay, moveDelay, repoAlarm, touchDelay, type RepoFact, type RepoStep } from './repo-alarm.ts';
import { areKept, hasManyRows, uploadAge } from './repo-steps.ts';
import { Schedule } from './schedule.ts';

const gone = { gone: true } as const;

/**
 * One repository: refs, tokens, manifest, small fresh packs, reservations of uploads. Every method but `alarm`, `import`
 * and `refs` is one synchronous transaction. An object that nobody began has no tables, and is as good as deleted.
 */
export class RepoObject extends DurableObject<Environment> implements RepoCalls {
  readonly #driver: SqlDriver;
  readonly #schedule: Schedule<RepoStep>;
  readonly #facts: Facts<RepoFact>;
  #rate: RateLimiter | undefined;
  #hasTables = false;
  #import: OwnImport | undefined;

  constructor(context: DurableObjectState, environment: Environment) {
    super(context, environment);
    this.#driver = durableObjectSql(context.storage);
    this.#schedule = new Schedule(context.storage, this.#driver);
    this.#facts = new Facts(this.#driver);
    void context.blockConcurrencyWhile(async () => {
      if (hasTables(this.#driver)) await this.#prepare();
    });
  }

  async begin(
    id: string,
    jurisdiction: string,
    head: RepoHead,
    firstToken: TokenRecord,
    events: readonly RecordedEvent[],
  ): Promise<Answer<void>> {
    if (!this.#hasTables) await this.#prepare();
    this.#facts.note('jurisdiction', jurisdiction);
    this.#facts.note('account', head.account);
    return this.#ask(id, (state) => state.begin(head, firstToken, events));
  }

  /** Not a transaction: answers when the import has ended, which goes on if nobody waits. */
  async import(job: ImportJob): Promise<Answer<ImportAnswer>> {
    if (!this.#hasTables) return gone;
    this.#import ??= new OwnImport(job);
    this.#schedule.plan('import', Date.now());
    return { value: await this.#import.done };
  }

  async setStatus(
    id: string,
    status: RepoStatus,
    defaultBranch: string | undefined,
    events: readonly RecordedEvent[],
  ): Promise<Answer<void>> {
    return this.#ask(id, (state) => state.setStatus(status, defaultBranch, events));
  }

  async open(id: string, secretHash: string, known: number | undefined): Promise<Answer<SentOpened>> {
    if (!this.#hasTables) return { value: { opened: { kind: 'gone' } } };
    const opened = await sqlRepoState(this.#driver, id).open(secretHash, known);
    if (opened.kind === 'gone') return { value: { opened } };
    const { snapshot, token, ...rest } = opened;
    const now = Date.now();
    // Only whoever has a right to know of the repo counts, and is told (GIT-008, GIT-031).
    const counts = token !== undefined && tokenState(token, now) === 'active';
    this.#rate ??= rateOfRepo(this.env);
    const retryAfter = counts ? this.#rate.admit('') : undefined;
    return {
      value: {
        opened: { ...rest, token, snapshot: undefined, ...(retryAfter === undefined ? {} : { retryAfter }) },
        ...(snapshot === undefined ? {} : { sent: sendSnapshot(snapshot) }),
      },
    };
  }

  async snapshot(id: string, known: number | undefined): Promise<Answer<SentSnapshot | undefined>> {
    return this.#ask(id, async (state) => {
      const snapshot = await state.snapshot(known);
      return snapshot && sendSnapshot(snapshot);
    });
  }

  async refs(id: string, version: number, query: RefQuery): Promise<Answer<RefPage | undefined>> {
    return this.#ask(id, (state) => gatherRefs(state, version, query));
  }

  async commit(id: string, change: RepoChange): Promise<Answer<Committed>> {
    return this.#ask(id, async (state) => {
      await this.#demandUploads(id, state, change.pushId, change.addPacks);
      // Before it, in the same turn and so in the same write: then no commit is without it.
      this.#schedule.plan('touch', change.at + touchDelay);
      this.#schedule.plan('maintain', change.at + maintainDelay);
      const outcome = await state.commit(change);
      if (hasManyRows(await state.rowPacks())) {
        // A merge makes one pack of them; what it does not make smaller is moved.
        this.#schedule.plan('maintain', change.at);
        this.#schedule.plan('move rows', change.at + moveDelay);
      }
      return { outcome, storedBytes: await state.storedBytes() };
    });
  }

  async outcome(id: string, pushId: string): Promise<Answer<CommitOutcome | undefined>> {
    return this.#ask(id, (state) => state.outcome(pushId));
  }

  async rowFiles(
    id: string,
    packs: readonly PackId[],
    files: readonly PackFile[],
  ): Promise<Answer<readonly RowFile[]>> {
    return this.#ask(id, (state) => state.rowFiles(packs, files));
  }

  async replacePacks(id: string, replacement: PackReplacement): Promise<Answer<ReplaceOutcome>> {
    return this.#ask(id, async (state) => {
      const { add } = replacement;
      if (add !== undefined) await this.#demandUploads(id, state, replacement.id, [add]);
      return state.replacePacks(replacement);
    });
  }

  async retiredPacks(id: string): Promise<Answer<SentLists<{ readonly packs: RetiredPack }>>> {
    return this.#ask(id, async (state) => sendLists<{ packs: RetiredPack }>({ packs: await state.retiredPacks() }));
  }

  async forgetPacks(id: string, packs: readonly PackId[]): Promise<Answer<void>> {
    return this.#ask(id, (state) => state.forgetPacks(packs));
  }

  async retiredTips(id: string): Promise<Answer<SentLists<{ readonly tips: RetiredTip }>>> {
    return this.#ask(id, async (state) => sendLists<{ tips: RetiredTip }>({ tips: await state.retiredTips() }));
  }

  async forgetTips(id: string, before: number): Promise<Answer<void>> {
    return this.#ask(id, (state) => state.forgetTips(before));
  }

  async planMaintenance(id: string, at: number | undefined, known: number | undefined): Promise<Answer<void>> {
    return this.#ask(id, (state) => {
      if (at !== undefined) this.#schedule.plan('maintain', at);
      return state.planMaintenance(at, known);
    });
  }

  async addToken(
    id: string,
    token: TokenRecord,
    at: number,
    history: number,
    event: RecordedEvent | undefined,
  ): Promise<Answer<readonly string[]>> {
    return this.#ask(id, (state) => state.addToken(token, at, history, event));
  }

  async tokens(id: string, list: TokenList): Promise<Answer<TokenPart>> {
    return this.#ask(id, (state) => state.tokens(list));
  }

  async tokenId(id: string, secretHash: string): Promise<Answer<string | undefined>> {
    return this.#ask(id, (state) => state.tokenId(secretHash));
  }

  async revokeToken(
    id: string,
    token: string,
    at: number,
    event: RecordedEvent | undefined,
  ): Promise<Answer<'revoked' | 'ended' | 'unknown'>> {
    return this.#ask(id, (state) => state.revokeToken(token, at, event));
  }

  async storedBytes(id: string): Promise<Answer<number>> {
    return this.#ask(id, (state) => state.storedBytes());
  }

  async lastPush(id: string): Promise<Answer<LastPush | undefined>> {
    return this.#ask(id, (state) => state.lastPush());
  }

  async erase(id: string, event: RecordedEvent | undefined): Promise<Answer<void>> {
    // Also where nothing began: a creation may be under way, and must not end in a repository.
    if (!this.#hasTables) await this.#prepare();
    this.#import?.cancel();
    return this.#ask(id, (state) => state.erase(event));
  }

  async record(id: string, event: RecordedEvent): Promise<Answer<boolean>> {
    return this.#ask(id, (state) => state.record(event));
  }

  async releaseEvents(id: string): Promise<Answer<void>> {
    return this.#ask(id, (state) => state.releaseEvents());
  }

  async pendingEvents(id: string, limit: number): Promise<Answer<PendingEvents>> {
    if (!this.#hasTables) return { value: { events: [], attempts: 0, due: 0 } };
    return this.#ask(id, (state) => state.pendingEvents(limit));
  }

  async delivered(id: string, ids: readonly string[], keepUntil: number | undefined): Promise<Answer<void>> {
    if (!this.#hasTables) return { value: undefined };
    return this.#ask(id, (state) => state.delivered(ids, keepUntil));
  }

  async retryEventsAt(id: string, at: number, attempts: number): Promise<Answer<void>> {
    if (!this.#hasTables) return { value: undefined };
    return this.#ask(id, (state) => state.retryEventsAt(at, attempts));
  }

  async forget(id: string, isUnheard: boolean): Promise<Answer<boolean>> {
    if (!this.#hasTables) return { value: true };
    if (!(await sqlRepoState(this.#driver, id).forget(isUnheard))) return { value: false };
    const [alive] = this.#driver.all('SELECT 1 FROM repos LIMIT 1');
    if (alive === undefined) {
      this.#hasTables = false;
      await this.ctx.storage.deleteAll();
    }
    return { value: true };
  }

  async hasStored(id: string, packs: readonly PackId[]): Promise<Answer<boolean>> {
    return this.#ask(id, (state) => state.hasStored(packs));
  }

  async reservePacks(id: string, packs: readonly PackId[], at: number): Promise<Answer<void>> {
    return this.#askReservations(id, (reservations) => {
      this.#schedule.plan('sweep uploads', at + uploadAge);
      return reservations.reserve(packs, at);
    });
  }

  async reservedBefore(id: string, time: number): Promise<Answer<readonly PackId[]>> {
    if (!this.#hasTables) return { value: [] };
    return this.#askReservations(id, (reservations) => reservations.before(time));
  }

  async dropReservation(id: string, pack: PackId): Promise<Answer<void>> {
    if (!this.#hasTables) return { value: undefined };
    return this.#askReservations(id, (reservations) => reservations.drop(pack));
  }

  override async alarm(): Promise<void> {
    await neverThrowing(this.ctx.storage, async () => {
      if (!this.#hasTables) return;
      await repoAlarm({
        driver: this.#driver,
        schedule: this.#schedule,
        facts: this.#facts,
        environment: this.env,
        ownImport: this.#import,
        queued: () => this.#planDelivery(),
      });
    });
  }

  async #prepare(): Promise<void> {
    migrate(this.#driver, 'repo-state', repoStateMigrations);
    this.#facts.prepare();
    this.#hasTables = true;
    await this.#schedule.prepare();
    // One that was made before there was maintenance.
    const [due] = this.#driver.all<{ at: number }>('SELECT maintain_at AS at FROM repos WHERE maintain_at IS NOT NULL');
    if (due !== undefined) this.#schedule.planFirst('maintain', due.at);
    // Events of a time in which nobody listened any more.
    const queuedAt = nextQueueAt(this.#driver);
    if (queuedAt !== undefined) this.#schedule.planFirst('deliver events', queuedAt);
  }

  /** GIT-155: a push or merge that took longer than uploads are kept must not be answered `ok`. */
  async #demandUploads(
    id: string,
    state: MaintainedRepoState,
    pushId: string,
    addPacks: readonly NewPack[],
  ): Promise<void> {
    if (await areKept(addPacks, sqlPackReservations(this.#driver, id), Date.now())) return;
    if ((await state.outcome(pushId)) === undefined) throw new Error('the uploads of a pack were begun too long ago');
  }

  async #ask<T>(id: string, call: (state: MaintainedRepoState) => Promise<T>): Promise<Answer<T>> {
    if (!this.#hasTables) return gone;
    return answerOf(call(sqlRepoState(this.#driver, id, () => this.#planDelivery())));
  }

  #planDelivery(): void {
    const due = nextQueueAt(this.#driver);
    if (due !== undefined) this.#schedule.plan('deliver events', due);
  }

  async #askReservations<T>(id: string, call: (reservations: PackReservations) => Promise<T>): Promise<Answer<T>> {
    return this.#hasTables ? answerOf(call(sqlPackReservations(this.#driver, id))) : gone;
  }
}
