import {
  RepoGoneError,
  type CommitOutcome,
  type ObjectId,
  type PackFile,
  type PackId,
  type PackRecord,
  type PackReplacement,
  type RecordedEvent,
  type RefPage,
  type RefQuery,
  type ReplaceOutcome,
  type RepoChange,
  type RetiredPack,
  type RetiredTip,
  type RowFile,
  storedSize,
} from '@packhouse/git';
import {
  idleQueueBytesMax,
  queueBytesMax,
  tokenState,
  type HeadUpdate,
  type HostedSnapshot,
  type LastPush,
  type OpenedRepo,
  type PendingEvents,
  type QueuedEvent,
  type RepoHead,
  type RepoStatus,
  type TokenList,
  type TokenPart,
  type TokenRecord,
  type WebhookChange,
  type WebhookProgress,
  type WebhookRecord,
  type WebhookWork,
} from '@packhouse/hosting';
import { applyUpdates } from '../repo-state/apply-updates.ts';
import { compareBytewise } from '@packhouse/base';
import { checkChange, checkReplacement, droppedTokensMax, exactnessAfter } from '../repo-state/change.ts';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';
import {
  filesOf,
  holdsAll,
  keyedResultOf,
  knows,
  oldestFirst,
  outcomeOf,
  record,
  recordKeyed,
  recordOf,
  snapshotOf,
  withTips,
  type Contents,
} from './contents.ts';
import { MemoryEvents } from './events.ts';
import { forListener } from '../repo-state/event-lanes.ts';
import { MemoryRefs } from './refs.ts';
import { placeOf } from '../repo-state/place-of.ts';
import { readRefs } from '../repo-state/read-refs.ts';
import { MemoryWebhookList, MemoryWebhookQueue } from './webhooks.ts';

/** Finds the webhooks of a namespace. */
export type NamespaceLists = (account: string, namespace: string) => MemoryWebhookList;

/**
 * Makes the state of one repository in memory, for tests, mocks and browsers.
 *
 * @param namespaceLists Default: namespaces have no webhooks.
 */
export function memoryRepoState(namespaceLists: NamespaceLists = () => new MemoryWebhookList()): MemoryRepoState {
  return new MemoryRepoState(namespaceLists);
}

export class MemoryRepoState implements MaintainedRepoState {
  #contents: Contents | 'erased' | undefined;
  #events = new MemoryEvents();
  #webhooks = new MemoryWebhookList();
  readonly #namespaceLists: NamespaceLists;
  #queue: MemoryWebhookQueue;

  constructor(namespaceLists: NamespaceLists) {
    this.#namespaceLists = namespaceLists;
    this.#queue = new MemoryWebhookQueue(this.#webhooks, namespaceLists);
  }

  async begin(head: RepoHead, firstToken: TokenRecord, events: readonly RecordedEvent[] = []): Promise<void> {
    if (this.#contents !== undefined) return;
    this.#events.add(forListener(events), true);
    this.#queue.add(head, events);
    this.#contents = {
      head: { ...head },
      revision: 0,
      version: 1,
      pushedAt: undefined,
      refs: new MemoryRefs(),
      packs: [],
      lastPosition: 0,
      retiredPacks: [],
      keptWhole: new Set(),
      files: [],
      shallow: [],
      retiredTips: [],
      outcomes: new Map(),
      tokens: [{ ...firstToken }],
      uploaded: new Map(),
      keyed: new Map(),
    };
  }

  async setStatus(status: RepoStatus, defaultBranch?: string, events: readonly RecordedEvent[] = []): Promise<void> {
    const contents = this.#alive();
    this.#events.addInFront(forListener(events));
    this.#queue.addInFront(contents.head, events);
    if (defaultBranch !== undefined && defaultBranch !== contents.head.defaultBranch) contents.version++;
    contents.head = { ...contents.head, status, defaultBranch: defaultBranch ?? contents.head.defaultBranch };
  }

  async updateHead({ revision, name, defaultBranch, readOnly, events }: HeadUpdate): Promise<void> {
    const contents = this.#alive();
    if (revision <= contents.revision) return;
    this.#record(contents, events);
    contents.head = { ...contents.head, name, defaultBranch, readOnly };
    contents.revision = revision;
    contents.version++;
  }

  async open(secretHash: string | null, known?: number): Promise<OpenedRepo> {
    const contents = this.#contents;
    if (contents === undefined || contents === 'erased') return { kind: 'gone' };
    const token = contents.tokens.find((candidate) => candidate.secretHash === secretHash);
    const isRefused = secretHash !== null && token === undefined;
    const snapshot = isRefused || contents.version === known ? undefined : snapshotOf(contents);
    const wanted = this.#queue.wanted(contents.head);
    return { kind: 'open', head: contents.head, token, version: contents.version, snapshot, wanted };
  }

  async snapshot(known?: number): Promise<HostedSnapshot | undefined> {
    const contents = this.#alive();
    return contents.version === known ? undefined : snapshotOf(contents);
  }

  async refs(version: number, query: RefQuery): Promise<RefPage | undefined> {
    const contents = this.#alive();
    return readRefs(contents.refs.at(contents.version), version, query);
  }

  async commit(change: RepoChange): Promise<CommitOutcome> {
    checkChange(change);
    const contents = this.#alive();
    const recorded = outcomeOf(contents, change.pushId);
    if (recorded !== undefined) return recorded;
    const { uploaded = [], keyed } = change;
    const result = keyed && keyedResultOf(contents, keyed.key, change.at);
    if (result !== undefined) return { kind: 'repeated', result };
    if (!holdsAll(contents, change.leansOn)) return { kind: 'packs changed' };
    if (change.addPacks.some(({ id }) => knows(contents, id))) {
      throw new RangeError('A change adds a pack that is there');
    }
    const isHeard = change.updates.some(({ event }) => event !== undefined && event.webhooksOnly !== true);
    if (isHeard && this.#events.waiting() >= queueBytesMax) return { kind: 'events full' };
    const applied = applyUpdates(contents.refs, change.updates, change.atomic);
    if (applied.changed || uploaded.length > 0) {
      this.#record(contents, applied.events);
      const exactness = exactnessAfter(contents.packs.length, change.addPacks.length, applied);
      contents.packs = [
        ...contents.packs.map((pack) => ({ ...pack, exact: pack.exact && exactness.old })),
        ...change.addPacks.map((pack) =>
          recordOf({ ...pack, exact: pack.exact && exactness.added }, ++contents.lastPosition, change.at),
        ),
      ];
      contents.files = [...contents.files, ...change.addPacks.flatMap(filesOf)];
      contents.shallow = [...new Set([...contents.shallow, ...change.addShallow])].sort(compareBytewise);
      contents.retiredTips = withTips(contents.retiredTips, applied.retired, change.at);
      contents.version += 1;
      contents.refs.remember(contents.version, applied.replaced);
      if (applied.changed && change.isImport !== true) contents.pushedAt = change.at;
      for (const oid of uploaded) contents.uploaded.set(oid, Math.max(change.at, contents.uploaded.get(oid) ?? 0));
      if (keyed !== undefined) recordKeyed(contents, keyed, change.at);
    }
    const outcome: CommitOutcome = { kind: 'done', version: contents.version, updates: applied.outcomes };
    record(contents, change.pushId, change.at, outcome);
    return outcome;
  }

  async outcome(pushId: string): Promise<CommitOutcome | undefined> {
    return outcomeOf(this.#alive(), pushId);
  }

  async replacePacks(replacement: PackReplacement): Promise<ReplaceOutcome> {
    checkReplacement(replacement);
    const { id, at, remove, add, leavesOut, ifVersion } = replacement;
    const contents = this.#alive();
    if (contents.outcomes.has(id) || (add !== undefined && knows(contents, add.id))) return 'done';
    const { packs } = contents;
    const place = placeOf(packs, remove);
    if (place === undefined) return 'packs changed';
    if (ifVersion !== undefined && ifVersion !== contents.version) return 'version changed';
    const removed = packs.slice(place, place + remove.length);
    const { position } = removed.at(-1) as PackRecord;
    const exact = add?.exact === true && removed.length === packs.length;
    const added = add === undefined ? [] : [recordOf({ ...add, exact }, position, add.at)];
    contents.packs = packs.toSpliced(place, remove.length, ...added);
    contents.retiredPacks = [...contents.retiredPacks, ...removed.map((pack) => ({ pack, at }))].sort(oldestFirst);
    if (leavesOut) contents.keptWhole.clear();
    else for (const pack of removed) contents.keptWhole.add(pack.id);
    if (add !== undefined) contents.files = [...contents.files, ...filesOf(add)];
    contents.version += 1;
    record(contents, id, at, 'done');
    return 'done';
  }

  async retiredPacks(): Promise<readonly RetiredPack[]> {
    return this.#alive().retiredPacks;
  }

  async forgetPacks(ids: readonly PackId[]): Promise<void> {
    const contents = this.#alive();
    const forgotten = new Set(contents.retiredPacks.map(({ pack }) => pack.id).filter((id) => ids.includes(id)));
    contents.retiredPacks = contents.retiredPacks.filter(({ pack }) => !forgotten.has(pack.id));
    contents.files = contents.files.filter(({ id }) => !forgotten.has(id));
    for (const id of forgotten) contents.keptWhole.delete(id);
  }

  async retiredTips(): Promise<readonly RetiredTip[]> {
    return this.#alive().retiredTips;
  }

  async forgetTips(before: number): Promise<void> {
    const contents = this.#alive();
    const kept = contents.retiredTips.filter(({ at }) => at >= before);
    if (kept.length < contents.retiredTips.length) contents.version += 1;
    contents.retiredTips = kept;
    for (const [oid, at] of contents.uploaded) if (at < before) contents.uploaded.delete(oid);
  }

  async uploadedBlobs(oids: readonly ObjectId[]): Promise<readonly ObjectId[]> {
    const { uploaded } = this.#alive();
    return oids.filter((oid) => uploaded.has(oid));
  }

  async keyedResult(key: string, at: number): Promise<string | undefined> {
    return keyedResultOf(this.#alive(), key, at);
  }

  /** A no-op: no scheduler runs over memory. */
  async planMaintenance(): Promise<void> {
    this.#alive();
  }

  async rowFiles(ids: readonly PackId[], files: readonly PackFile[]): Promise<readonly RowFile[]> {
    return this.#alive()
      .files.filter(({ id, file }) => ids.includes(id) && files.includes(file))
      .map(({ id, file, bytes }) => ({ id, file, bytes: bytes.slice() }));
  }

  async rowPacks(): Promise<readonly PackRecord[]> {
    return this.#alive().packs.filter(({ where }) => where === 'rows');
  }

  async hasStored(ids: readonly PackId[]): Promise<boolean> {
    const stored = new Set(this.#alive().packs.flatMap(({ id, where }) => (where === 'store' ? [id] : [])));
    return ids.every((id) => stored.has(id));
  }

  async settle(id: PackId): Promise<boolean> {
    const contents = this.#alive();
    if (!contents.packs.some((pack) => pack.id === id && pack.where === 'rows')) return false;
    contents.packs = contents.packs.map((pack) => (pack.id === id ? { ...pack, where: 'store' } : pack));
    contents.files = contents.files.filter((file) => file.id !== id);
    contents.version += 1;
    return true;
  }

  async addToken(token: TokenRecord, at: number, history: number, event?: RecordedEvent): Promise<readonly string[]> {
    const contents = this.#alive();
    const known = contents.tokens.some(({ id }) => id === token.id);
    if (!known && event !== undefined) this.#record(contents, [event]);
    const all = known ? contents.tokens : [...contents.tokens, { ...token }].sort(newestFirst);
    const ended = all.filter((candidate) => hasEnded(candidate, at));
    const dropped = new Set(ended.slice(history, history + droppedTokensMax));
    contents.tokens = all.filter((candidate) => !dropped.has(candidate));
    return [...dropped].map(({ id }) => id);
  }

  async tokens({ state, at, limit, offset }: TokenList): Promise<TokenPart> {
    const found = this.#alive().tokens.filter((token) => state === 'all' || tokenState(token, at) === state);
    return { tokens: found.slice(offset, offset + limit), total: found.length };
  }

  async tokenId(secretHash: string): Promise<string | undefined> {
    return this.#alive().tokens.find((token) => token.secretHash === secretHash)?.id;
  }

  async revokeToken(id: string, at: number, event?: RecordedEvent): Promise<'revoked' | 'ended' | 'unknown'> {
    const contents = this.#alive();
    const token = contents.tokens.find((candidate) => candidate.id === id);
    if (token === undefined) return 'unknown';
    if (hasEnded(token, at)) return 'ended';
    if (event !== undefined) this.#record(contents, [event]);
    contents.tokens = contents.tokens.map((candidate) =>
      candidate === token ? { ...token, revokedAt: at } : candidate,
    );
    return 'revoked';
  }

  async storedBytes(): Promise<number> {
    return this.#alive().packs.reduce((sum, pack) => sum + storedSize(pack), 0);
  }

  async lastPush(): Promise<LastPush | undefined> {
    const { pushedAt, version } = this.#alive();
    return pushedAt === undefined ? undefined : { at: pushedAt, version };
  }

  async erase(event?: RecordedEvent): Promise<void> {
    const contents = this.#contents === 'erased' ? undefined : this.#contents;
    if (contents !== undefined && event !== undefined) {
      this.#events.release();
      this.#events.add(forListener([event]), false);
      this.#queue.add(contents.head, [event]);
    } else if (contents !== undefined) {
      this.#events.dropUnpublished();
      this.#queue.drop();
    }
    this.#contents = 'erased';
  }

  async forget(isUnheard = false): Promise<boolean> {
    if (this.#contents !== 'erased') return true;
    if ((!isUnheard && !this.#events.isEmpty()) || this.#queue.due() !== undefined) return false;
    this.#events = new MemoryEvents();
    this.#webhooks = new MemoryWebhookList();
    this.#queue = new MemoryWebhookQueue(this.#webhooks, this.#namespaceLists);
    this.#contents = undefined;
    return true;
  }

  async record(event: RecordedEvent): Promise<boolean> {
    const contents = this.#alive();
    if (event.webhooksOnly !== true && this.#events.waiting() >= idleQueueBytesMax) return false;
    this.#record(contents, [event]);
    return true;
  }

  async releaseEvents(): Promise<void> {
    this.#events.release();
  }

  async pendingEvents(limit: number): Promise<PendingEvents> {
    return this.#events.pending(limit);
  }

  async delivered(ids: readonly string[]): Promise<void> {
    this.#events.delivered(ids);
  }

  /** Returns when its first event is due (milliseconds since 1970), or undefined if no event waits. */
  eventsDue(): number | undefined {
    return this.#events.isEmpty() ? undefined : this.#events.pending(1).due;
  }

  async retryEventsAt(at: number, attempts: number): Promise<void> {
    this.#events.retryAt(at, attempts);
  }

  async webhooks(): Promise<readonly WebhookRecord[]> {
    this.#alive();
    return this.#webhooks.webhooks();
  }

  async addWebhook(webhook: WebhookRecord, max: number): Promise<boolean> {
    this.#alive();
    return this.#webhooks.addWebhook(webhook, max);
  }

  async changeWebhook(id: string, change: WebhookChange): Promise<WebhookRecord | undefined> {
    this.#alive();
    return this.#webhooks.changeWebhook(id, change);
  }

  async removeWebhook(id: string): Promise<boolean> {
    this.#alive();
    return this.#webhooks.removeWebhook(id);
  }

  async wantedEvents(): Promise<readonly string[]> {
    return this.#queue.wanted(this.#alive().head);
  }

  async webhookWork(): Promise<WebhookWork | undefined> {
    return this.#queue.work(this.#contents === undefined || this.#contents === 'erased');
  }

  async webhookEvents(after: number, limit: number): Promise<readonly QueuedEvent[]> {
    return this.#queue.events(after, limit);
  }

  async settleWebhooks(progress: readonly WebhookProgress[]): Promise<number | undefined> {
    return this.#queue.settle(progress);
  }

  async delayWebhooks(until: number): Promise<void> {
    this.#queue.delay(until);
  }

  /** Returns when its events for webhooks are due (milliseconds since 1970), or undefined if none wait. */
  webhooksDue(): number | undefined {
    return this.#queue.due();
  }

  #record({ head }: Contents, events: readonly RecordedEvent[]): void {
    this.#events.add(forListener(events), head.status !== 'ready');
    this.#queue.add(head, events);
  }

  #alive(): Contents {
    if (this.#contents === undefined || this.#contents === 'erased')
      throw new RepoGoneError('The repository was deleted');
    return this.#contents;
  }
}

function hasEnded(token: TokenRecord, at: number): boolean {
  return tokenState(token, at) !== 'active';
}

function newestFirst(a: TokenRecord, b: TokenRecord): number {
  return b.createdAt - a.createdAt || compareBytewise(a.id, b.id);
}
