import type {
  CommitOutcome,
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
import type {
  ImportJob,
  LastPush,
  OpenedRepo,
  PendingEvents,
  RepoHead,
  RepoStatus,
  TokenList,
  TokenPart,
  TokenRecord,
} from '@packhouse/hosting';
import type { Answer } from './answer.ts';
import type { ImportAnswer } from './import-answer.ts';
import type { SentLists } from './sent-lists.ts';
import type { SentSnapshot } from './sent-snapshot.ts';

/** The answer to `open`; `retryAfter` as in `OpenedRepo`. */
export interface SentOpened {
  readonly opened: OpenedRepo;
  /** In place of `opened.snapshot`. */
  readonly sent?: SentSnapshot;
}

/** What the state of one repository answers after a commit, so that nobody has to ask. */
export interface Committed {
  readonly outcome: CommitOutcome;
  readonly storedBytes: number;
}

/**
 * The calls of a `RepoObject`, one a method of the port `HostedRepoState` or `PackReservations`, and
 * `hasStored` of `MaintainedRepoState`. The first argument is
 * the repo's id: the object of another one would answer nonsense.
 */
export interface RepoCalls {
  begin(
    id: string,
    jurisdiction: string,
    head: RepoHead,
    firstToken: TokenRecord,
    events: readonly RecordedEvent[],
  ): Promise<Answer<void>>;
  setStatus(
    id: string,
    status: RepoStatus,
    defaultBranch: string | undefined,
    events: readonly RecordedEvent[],
  ): Promise<Answer<void>>;
  /** Carries an import out. Answers when it has ended; it does not hang on who asked. */
  import(job: ImportJob): Promise<Answer<ImportAnswer>>;
  open(id: string, secretHash: string, known: number | undefined): Promise<Answer<SentOpened>>;
  snapshot(id: string, known: number | undefined): Promise<Answer<SentSnapshot | undefined>>;
  refs(id: string, version: number, query: RefQuery): Promise<Answer<RefPage | undefined>>;
  commit(id: string, change: RepoChange): Promise<Answer<Committed>>;
  outcome(id: string, pushId: string): Promise<Answer<CommitOutcome | undefined>>;
  rowFiles(id: string, packs: readonly PackId[], files: readonly PackFile[]): Promise<Answer<readonly RowFile[]>>;
  replacePacks(id: string, replacement: PackReplacement): Promise<Answer<ReplaceOutcome>>;
  retiredPacks(id: string): Promise<Answer<SentLists<{ readonly packs: RetiredPack }>>>;
  forgetPacks(id: string, packs: readonly PackId[]): Promise<Answer<void>>;
  retiredTips(id: string): Promise<Answer<SentLists<{ readonly tips: RetiredTip }>>>;
  forgetTips(id: string, before: number): Promise<Answer<void>>;
  planMaintenance(id: string, at: number | undefined, known: number | undefined): Promise<Answer<void>>;
  addToken(
    id: string,
    token: TokenRecord,
    at: number,
    history: number,
    event: RecordedEvent | undefined,
  ): Promise<Answer<readonly string[]>>;
  tokens(id: string, list: TokenList): Promise<Answer<TokenPart>>;
  tokenId(id: string, secretHash: string): Promise<Answer<string | undefined>>;
  revokeToken(
    id: string,
    token: string,
    at: number,
    event: RecordedEvent | undefined,
  ): Promise<Answer<'revoked' | 'ended' | 'unknown'>>;
  storedBytes(id: string): Promise<Answer<number>>;
  lastPush(id: string): Promise<Answer<LastPush | undefined>>;
  erase(id: string, event: RecordedEvent | undefined): Promise<Answer<void>>;
  forget(id: string, isUnheard: boolean): Promise<Answer<boolean>>;
  record(id: string, event: RecordedEvent): Promise<Answer<boolean>>;
  releaseEvents(id: string): Promise<Answer<void>>;
  pendingEvents(id: string, limit: number): Promise<Answer<PendingEvents>>;
  delivered(id: string, ids: readonly string[], keepUntil: number | undefined): Promise<Answer<void>>;
  retryEventsAt(id: string, at: number, attempts: number): Promise<Answer<void>>;
  hasStored(id: string, packs: readonly PackId[]): Promise<Answer<boolean>>;
  reservePacks(id: string, packs: readonly PackId[], at: number): Promise<Answer<void>>;
  reservedBefore(id: string, time: number): Promise<Answer<readonly PackId[]>>;
  dropReservation(id: string, pack: PackId): Promise<Answer<void>>;
}
