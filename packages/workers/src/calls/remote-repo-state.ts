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
  RepoSnapshot,
  RetiredPack,
  RetiredTip,
  RowFile,
} from '@packhouse/git';
import type {
  HostedRepoState,
  LastPush,
  OpenedRepo,
  PendingEvents,
  RepoHead,
  RepoStatus,
  TokenList,
  TokenPart,
  TokenRecord,
} from '@packhouse/hosting';
import type { PackReservations } from '@packhouse/storage/workers';
import { valueOf, type Answer } from './answer.ts';
import { callObject, type CallOptions } from './call-object.ts';
import type { RepoCalls } from './repo-calls.ts';
import { receiveLists } from './sent-lists.ts';
import { receiveSnapshot } from './sent-snapshot.ts';

/** Where a repository's object is, and who pays. */
export interface RemoteRepoOptions extends Pick<CallOptions<RepoCalls>, 'stub' | 'usage'> {
  readonly id: string;
  /** The object is told, for what it does on its own. */
  readonly jurisdiction: string;
}

/** The state of a repository in its object: one method, one call. Make one for each request. */
export class RemoteRepoState implements HostedRepoState {
  readonly #options: RemoteRepoOptions;
  /** What a commit of this request has told. */
  #storedBytes: number | undefined;

  constructor(options: RemoteRepoOptions) {
    this.#options = options;
  }

  begin(head: RepoHead, firstToken: TokenRecord, events: readonly RecordedEvent[] = []): Promise<void> {
    const { jurisdiction } = this.#options;
    return this.#repeatable((calls, id) => calls.begin(id, jurisdiction, head, firstToken, events));
  }

  setStatus(status: RepoStatus, defaultBranch?: string, events: readonly RecordedEvent[] = []): Promise<void> {
    return this.#repeatable((calls, id) => calls.setStatus(id, status, defaultBranch, events));
  }

  async open(secretHash: string, known?: number): Promise<OpenedRepo> {
    const { opened, sent } = await this.#repeatable((calls, id) => calls.open(id, secretHash, known));
    if (opened.kind === 'gone' || sent === undefined) return opened;
    return { ...opened, snapshot: await receiveSnapshot(sent) };
  }

  async snapshot(known?: number): Promise<RepoSnapshot | undefined> {
    const sent = await this.#repeatable((calls, id) => calls.snapshot(id, known));
    return sent === undefined ? undefined : receiveSnapshot(sent);
  }

  refs(version: number, query: RefQuery): Promise<RefPage | undefined> {
    return this.#repeatable((calls, id) => calls.refs(id, version, query));
  }

  async commit(change: RepoChange): Promise<CommitOutcome> {
    // Recorded by its push id, so that a second call answers what the first one did.
    const { outcome, storedBytes } = await this.#repeatable((calls, id) => calls.commit(id, change));
    this.#storedBytes = storedBytes;
    return outcome;
  }

  outcome(pushId: string): Promise<CommitOutcome | undefined> {
    return this.#repeatable((calls, id) => calls.outcome(id, pushId));
  }

  rowFiles(packs: readonly PackId[], files: readonly PackFile[]): Promise<readonly RowFile[]> {
    return this.#repeatable((calls, id) => calls.rowFiles(id, packs, files));
  }

  replacePacks(replacement: PackReplacement): Promise<ReplaceOutcome> {
    // Recorded by its id, as a commit is.
    this.#storedBytes = undefined;
    return this.#repeatable((calls, id) => calls.replacePacks(id, replacement));
  }

  async retiredPacks(): Promise<readonly RetiredPack[]> {
    const sent = await this.#repeatable((calls, id) => calls.retiredPacks(id));
    return (await receiveLists(sent)).packs;
  }

  forgetPacks(packs: readonly PackId[]): Promise<void> {
    return this.#repeatable((calls, id) => calls.forgetPacks(id, packs));
  }

  async retiredTips(): Promise<readonly RetiredTip[]> {
    const sent = await this.#repeatable((calls, id) => calls.retiredTips(id));
    return (await receiveLists(sent)).tips;
  }

  forgetTips(before: number): Promise<void> {
    return this.#repeatable((calls, id) => calls.forgetTips(id, before));
  }

  planMaintenance(at: number | undefined, known?: number): Promise<void> {
    return this.#repeatable((calls, id) => calls.planMaintenance(id, at, known));
  }

  addToken(token: TokenRecord, at: number, history: number, event?: RecordedEvent): Promise<readonly string[]> {
    return this.#repeatable((calls, id) => calls.addToken(id, token, at, history, event));
  }

  tokens(list: TokenList): Promise<TokenPart> {
    return this.#repeatable((calls, id) => calls.tokens(id, list));
  }

  tokenId(secretHash: string): Promise<string | undefined> {
    return this.#repeatable((calls, id) => calls.tokenId(id, secretHash));
  }

  /** A second call would say `ended` of what the first one revoked. */
  revokeToken(token: string, at: number, event?: RecordedEvent): Promise<'revoked' | 'ended' | 'unknown'> {
    return this.#once((calls, id) => calls.revokeToken(id, token, at, event));
  }

  async storedBytes(): Promise<number> {
    return this.#storedBytes ?? (await this.#repeatable((calls, id) => calls.storedBytes(id)));
  }

  lastPush(): Promise<LastPush | undefined> {
    return this.#repeatable((calls, id) => calls.lastPush(id));
  }

  erase(event?: RecordedEvent): Promise<void> {
    return this.#repeatable((calls, id) => calls.erase(id, event));
  }

  forget(isUnheard = false): Promise<boolean> {
    return this.#repeatable((calls, id) => calls.forget(id, isUnheard));
  }

  /** One that is recorded twice has one id. */
  record(event: RecordedEvent): Promise<boolean> {
    return this.#repeatable((calls, id) => calls.record(id, event));
  }

  releaseEvents(): Promise<void> {
    return this.#repeatable((calls, id) => calls.releaseEvents(id));
  }

  pendingEvents(limit: number): Promise<PendingEvents> {
    return this.#repeatable((calls, id) => calls.pendingEvents(id, limit));
  }

  delivered(ids: readonly string[], keepUntil?: number): Promise<void> {
    return this.#repeatable((calls, id) => calls.delivered(id, ids, keepUntil));
  }

  retryEventsAt(at: number, attempts: number): Promise<void> {
    return this.#repeatable((calls, id) => calls.retryEventsAt(id, at, attempts));
  }

  /** As in `MaintainedRepoState`: whether all of these are in the manifest, with their bytes in the store. */
  hasStored(packs: readonly PackId[]): Promise<boolean> {
    return this.#repeatable((calls, id) => calls.hasStored(id, packs));
  }

  /** The reservations of packs, which lie with the state. */
  get reservations(): PackReservations {
    return {
      reserve: (packs, at) => this.#repeatable((calls, id) => calls.reservePacks(id, packs, at)),
      before: (time) => this.#repeatable((calls, id) => calls.reservedBefore(id, time)),
      drop: (pack) => this.#repeatable((calls, id) => calls.dropReservation(id, pack)),
    };
  }

  #repeatable<T>(call: (calls: RepoCalls, id: string) => Promise<Answer<T>>): Promise<T> {
    return this.#call(call, true);
  }

  #once<T>(call: (calls: RepoCalls, id: string) => Promise<Answer<T>>): Promise<T> {
    return this.#call(call, false);
  }

  async #call<T>(call: (calls: RepoCalls, id: string) => Promise<Answer<T>>, repeatable: boolean): Promise<T> {
    const { id, stub, usage } = this.#options;
    return valueOf(await callObject({ stub, usage, repeatable }, (calls) => call(calls, id)));
  }
}
