import {
  RepoGoneError,
  snapshotTipsMax,
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
} from '@packhouse/git';
import {
  idleQueueBytesMax,
  queueBytesMax,
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
import { durablePort, type SqlDriver } from '@packhouse/base';
import { applyUpdates } from '../../repo-state/apply-updates.ts';
import { checkChange, checkReplacement, exactnessAfter } from '../../repo-state/change.ts';
import type { MaintainedRepoState } from '../../repo-state/maintained.ts';
import { placeOf } from '../../repo-state/place-of.ts';
import { fewRefs, readRefs, type RefSource } from '../../repo-state/read-refs.ts';
import { eraseRows } from './erasure.ts';
import { SqlEvents } from './events.ts';
import { SqlKeyedResults } from './keyed-results.ts';
import { SqlPacks } from './packs.ts';
import { SqlPushes } from './pushes.ts';
import { SqlRefHistory, sqlRefSource } from '../refs/ref-history.ts';
import { SqlRefs } from '../refs/refs.ts';
import { SqlShallow } from './shallow.ts';
import { SqlTips } from './tips.ts';
import { SqlTokens } from './tokens.ts';
import { SqlUploadedBlobs } from './uploaded-blobs.ts';
import { SqlWebhookList } from '../webhooks/webhook-list.ts';
import { SqlWebhookQueue } from '../webhooks/webhook-queue.ts';
import { forListener } from '../../repo-state/event-lanes.ts';

interface RepoRow {
  readonly account: string;
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly default_branch: string;
  readonly read_only: number;
  readonly status: RepoStatus;
  readonly version: number;
  readonly left_out_version: number;
  readonly oldest_refs: number;
  readonly ref_changes: number;
  readonly pushed_at: number | null;
  readonly maintain_at: number | null;
  readonly revision: number;
  readonly ref_count: number;
  readonly erased: number;
}

/**
 * Opens the state of the repository `id` in a database with the tables of `repoStateMigrations`, without I/O. Every
 * method is one transaction, so any number of connections and processes may share the database.
 *
 * @param recorded called when new events may be due.
 */
export function sqlRepoState(driver: SqlDriver, id: string, recorded: () => void = () => {}): MaintainedRepoState {
  return durablePort<MaintainedRepoState>(new SqlRepoState(driver, id, recorded), driver);
}

class SqlRepoState implements MaintainedRepoState {
  readonly #driver: SqlDriver;
  readonly #id: string;
  readonly #history: SqlRefHistory;
  readonly #packs: SqlPacks;
  readonly #shallow: SqlShallow;
  readonly #tips: SqlTips;
  readonly #pushes: SqlPushes<CommitOutcome>;
  readonly #replacements: SqlPushes<{ readonly kind: 'replaced' }>;
  readonly #uploaded: SqlUploadedBlobs;
  readonly #keyed: SqlKeyedResults;
  readonly #tokens: SqlTokens;
  readonly #events: SqlEvents;
  readonly #webhooks: SqlWebhookList;
  readonly #queue: SqlWebhookQueue;
  readonly #recorded: () => void;

  constructor(driver: SqlDriver, id: string, recorded: () => void) {
    this.#driver = driver;
    this.#id = id;
    this.#recorded = recorded;
    this.#events = new SqlEvents(driver, id);
    this.#history = new SqlRefHistory(driver, id);
    this.#packs = new SqlPacks(driver, id);
    this.#shallow = new SqlShallow(driver, id);
    this.#tips = new SqlTips(driver, id);
    this.#pushes = new SqlPushes(driver, id);
    this.#replacements = new SqlPushes(driver, id);
    this.#uploaded = new SqlUploadedBlobs(driver, id);
    this.#keyed = new SqlKeyedResults(driver, id);
    this.#tokens = new SqlTokens(driver, id);
    this.#webhooks = new SqlWebhookList(driver, id);
    this.#queue = new SqlWebhookQueue(driver, id);
  }

  async begin(head: RepoHead, firstToken: TokenRecord, events: readonly RecordedEvent[] = []): Promise<void> {
    const begin = (): void => {
      const added = this.#driver.run(
        `INSERT INTO repos (id, account, namespace, name, default_branch, read_only, status, version, erased)
         VALUES (?, ?, ?, ?, ?, ?, ?, 1, 0) ON CONFLICT (id) DO NOTHING`,
        this.#id,
        head.account,
        head.namespace,
        head.name,
        head.defaultBranch,
        head.readOnly ? 1 : 0,
        head.status,
      );
      if (added === 0) return;
      this.#tokens.add(firstToken);
      this.#events.add(head.account, forListener(events), true);
      this.#queue.add(head, events);
    };
    this.#driver.transaction(begin, head.status === 'ready' ? 'lazy' : undefined);
    if (events.length > 0) this.#recorded();
  }

  async setStatus(status: RepoStatus, defaultBranch?: string, events: readonly RecordedEvent[] = []): Promise<void> {
    this.#alive((row) => {
      const branch = defaultBranch ?? row.default_branch;
      if (branch !== row.default_branch) this.#grow();
      this.#driver.run('UPDATE repos SET status = ?, default_branch = ? WHERE id = ?', status, branch, this.#id);
      this.#events.addInFront(row.account, forListener(events));
      this.#queue.addInFront(row, events);
    });
    if (events.length > 0) this.#recorded();
  }

  async updateHead({ revision, name, defaultBranch, readOnly, events }: HeadUpdate): Promise<void> {
    this.#alive((row) => {
      if (revision <= row.revision) return;
      this.#driver.run(
        'UPDATE repos SET name = ?, default_branch = ?, read_only = ?, revision = ? WHERE id = ?',
        name,
        defaultBranch,
        readOnly ? 1 : 0,
        revision,
        this.#id,
      );
      this.#grow();
      this.#record(row, events);
    });
    if (events.length > 0) this.#recorded();
  }

  async open(secretHash: string | null, known?: number): Promise<OpenedRepo> {
    // Not as a reader: each Git request begins here, and must fail if the database is gone (REPO-178).
    return this.#driver.transaction((): OpenedRepo => {
      const row = this.#row();
      if (row === undefined) return { kind: 'gone' };
      const token = secretHash === null ? undefined : this.#tokens.find(secretHash);
      const isRefused = secretHash !== null && token === undefined;
      const snapshot = isRefused || row.version === known ? undefined : this.#snapshot(row);
      const wanted = this.#queue.wanted(row);
      return { kind: 'open', head: headOf(row), token, version: row.version, snapshot, wanted };
    });
  }

  async snapshot(known?: number): Promise<HostedSnapshot | undefined> {
    return this.#alive((row) => (row.version === known ? undefined : this.#snapshot(row)), 'read');
  }

  async refs(version: number, query: RefQuery): Promise<RefPage | undefined> {
    return this.#driver.transaction(() => {
      const row = this.#row();
      if (row === undefined) throw gone();
      return readRefs(this.#source(row), version, query);
    }, 'read');
  }

  async commit(change: RepoChange): Promise<CommitOutcome> {
    checkChange(change);
    const isTold = change.updates.some(({ event }) => event !== undefined);
    const isHeard = change.updates.some(({ event }) => event !== undefined && event.webhooksOnly !== true);
    const outcome = this.#alive((row): CommitOutcome => {
      const recorded = this.#pushes.find(change.pushId, change.at);
      if (recorded !== undefined) return recorded;
      const { uploaded = [], keyed } = change;
      const result = keyed && this.#keyed.find(keyed.key, change.at);
      if (result !== undefined) return { kind: 'repeated', result };
      // Not recorded: nothing was applied, and the caller retries with the same id.
      if (!this.#packs.holdsAll(change.leansOn, row.left_out_version)) return { kind: 'packs changed' };
      if (isHeard && this.#events.waiting() >= queueBytesMax) return { kind: 'events full' };
      const applied = applyUpdates(new SqlRefs(this.#driver, this.#id), change.updates, change.atomic);
      const isChange = applied.changed || uploaded.length > 0;
      if (isChange) {
        this.#record(row, applied.events);
        this.#history.add(row.version + 1, applied.replaced, row.ref_changes);
        const exactness = exactnessAfter(this.#packs.count(), change.addPacks.length, applied);
        this.#packs.add(change.addPacks, exactness, change.at);
        this.#tips.add(applied.retired, change.at);
        this.#shallow.add(change.addShallow);
        this.#uploaded.add(uploaded, change.at);
        if (keyed !== undefined) this.#keyed.record(keyed, change.at);
        this.#driver.run(
          `UPDATE repos SET version = version + 1, pushed_at = CASE WHEN ?3 = 1 THEN pushed_at ELSE ?1 END,
             ref_count = ref_count + ?4
           WHERE id = ?2`,
          change.at,
          this.#id,
          applied.changed && change.isImport !== true ? 0 : 1,
          applied.added,
        );
        // A separate statement, since one that names an indexed column rewrites its index even with the same value.
        if (row.maintain_at === null || row.maintain_at > change.at)
          this.#driver.run('UPDATE repos SET maintain_at = ? WHERE id = ?', change.at, this.#id);
      }
      const done: CommitOutcome = {
        kind: 'done',
        version: row.version + (isChange ? 1 : 0),
        updates: applied.outcomes,
      };
      this.#pushes.record(change.pushId, change.at, done);
      return done;
    });
    if (isTold) this.#recorded();
    return outcome;
  }

  async outcome(pushId: string): Promise<CommitOutcome | undefined> {
    return this.#alive(() => this.#pushes.search(pushId), 'read');
  }

  async rowFiles(ids: readonly PackId[], files: readonly PackFile[]): Promise<readonly RowFile[]> {
    return this.#alive(() => this.#packs.files(ids, files), 'read');
  }

  async rowPacks(): Promise<readonly PackRecord[]> {
    return this.#alive(() => this.#packs.list().filter(({ where }) => where === 'rows'), 'read');
  }

  async hasStored(ids: readonly PackId[]): Promise<boolean> {
    return this.#alive(() => this.#packs.hasStored(ids), 'read');
  }

  async settle(id: PackId): Promise<boolean> {
    return this.#alive(() => {
      const settled = this.#packs.settle(id);
      if (settled) this.#grow();
      return settled;
    });
  }

  async replacePacks(replacement: PackReplacement): Promise<ReplaceOutcome> {
    checkReplacement(replacement);
    const { id, at, remove, add, leavesOut, ifVersion } = replacement;
    return this.#alive((row): ReplaceOutcome => {
      // Also match by pack id: the record of the replacement may have expired.
      const isDone = this.#replacements.find(id, at) !== undefined || (add !== undefined && this.#packs.knows(add.id));
      if (isDone) return 'done';
      const packs = this.#packs.list();
      const place = placeOf(packs, remove);
      if (place === undefined) return 'packs changed';
      if (ifVersion !== undefined && ifVersion !== row.version) return 'version changed';
      const isOnly = packs.length === remove.length;
      const made = add && { ...add, exact: add.exact && isOnly };
      this.#packs.replace(packs.slice(place, place + remove.length), made, at, row.version + 1);
      this.#grow();
      if (leavesOut) this.#driver.run('UPDATE repos SET left_out_version = version WHERE id = ?', this.#id);
      this.#replacements.record(id, at, { kind: 'replaced' });
      return 'done';
    });
  }

  async retiredPacks(): Promise<readonly RetiredPack[]> {
    return this.#alive(() => this.#packs.retired(), 'read');
  }

  async forgetPacks(ids: readonly PackId[]): Promise<void> {
    this.#alive(() => this.#packs.forget(ids));
  }

  async retiredTips(): Promise<readonly RetiredTip[]> {
    return this.#alive(() => this.#tips.list(Number.MAX_SAFE_INTEGER), 'read');
  }

  async forgetTips(before: number): Promise<void> {
    this.#alive(() => {
      if (this.#tips.forget(before)) this.#grow();
      this.#uploaded.forget(before);
    });
  }

  async uploadedBlobs(oids: readonly ObjectId[]): Promise<readonly ObjectId[]> {
    return this.#alive(() => this.#uploaded.among(oids), 'read');
  }

  async keyedResult(key: string, at: number): Promise<string | undefined> {
    return this.#alive(() => this.#keyed.find(key, at), 'read');
  }

  async planMaintenance(at: number | undefined, known?: number): Promise<void> {
    this.#alive(({ version }) => {
      if (known !== undefined && known !== version) return;
      this.#driver.run('UPDATE repos SET maintain_at = ? WHERE id = ?', at ?? null, this.#id);
    });
  }

  async addToken(token: TokenRecord, at: number, history: number, event?: RecordedEvent): Promise<readonly string[]> {
    const dropped = this.#alive((row) => {
      if (this.#tokens.add(token) && event !== undefined) this.#record(row, [event]);
      return this.#tokens.dropEnded(at, history);
    });
    if (event !== undefined) this.#recorded();
    return dropped;
  }

  async tokens(list: TokenList): Promise<TokenPart> {
    return this.#alive(() => this.#tokens.list(list), 'read');
  }

  async tokenId(secretHash: string): Promise<string | undefined> {
    return this.#alive(() => this.#tokens.find(secretHash)?.id, 'read');
  }

  async revokeToken(id: string, at: number, event?: RecordedEvent): Promise<'revoked' | 'ended' | 'unknown'> {
    const outcome = this.#alive((row) => {
      const revoked = this.#tokens.revoke(id, at);
      if (revoked === 'revoked' && event !== undefined) this.#record(row, [event]);
      return revoked;
    });
    if (event !== undefined) this.#recorded();
    return outcome;
  }

  async storedBytes(): Promise<number> {
    return this.#alive(() => this.#packs.storedBytes(), 'read');
  }

  async lastPush(): Promise<LastPush | undefined> {
    return this.#alive(({ pushed_at: at, version }) => (at === null ? undefined : { at, version }), 'read');
  }

  async erase(event?: RecordedEvent): Promise<void> {
    this.#driver.transaction(() => {
      const row = this.#row();
      if (row !== undefined && event !== undefined) {
        this.#events.release();
        this.#events.add(row.account, forListener([event]), false);
        this.#queue.add(row, [event]);
      } else if (row !== undefined) {
        this.#events.dropUnpublished();
        this.#queue.drop();
      }
      eraseRows(this.#driver, this.#id);
    });
    if (event !== undefined) this.#recorded();
  }

  async forget(isUnheard = false): Promise<boolean> {
    return this.#driver.transaction(() => {
      const [erased] = this.#driver.all('SELECT 1 FROM repos WHERE id = ? AND erased = 1', this.#id);
      if (erased === undefined) return true;
      if ((!isUnheard && !this.#events.isEmpty()) || !this.#queue.isEmpty()) return false;
      this.#events.dropWaiting();
      this.#queue.forgetWebhooks();
      for (const table of ['uploads', 'repos']) {
        this.#driver.run(`DELETE FROM ${table} WHERE ${table === 'repos' ? 'id' : 'repo_id'} = ?`, this.#id);
      }
      return true;
    });
  }

  async record(event: RecordedEvent): Promise<boolean> {
    const isRecorded = this.#alive((row) => {
      if (event.webhooksOnly !== true && this.#events.waiting() >= idleQueueBytesMax) return false;
      this.#record(row, [event]);
      return true;
    });
    this.#recorded();
    return isRecorded;
  }

  async releaseEvents(): Promise<void> {
    this.#driver.transaction(() => this.#events.release());
    this.#recorded();
  }

  async pendingEvents(limit: number): Promise<PendingEvents> {
    return this.#driver.transaction(() => this.#events.pending(limit), 'read');
  }

  async delivered(ids: readonly string[], keepUntil?: number): Promise<void> {
    this.#driver.transaction(() => this.#events.delivered(ids, keepUntil));
  }

  async retryEventsAt(at: number, attempts: number): Promise<void> {
    this.#events.retryAt(at, attempts);
  }

  async webhooks(): Promise<readonly WebhookRecord[]> {
    return this.#alive(() => this.#webhooks.list(), 'read');
  }

  async addWebhook(webhook: WebhookRecord, max: number): Promise<boolean> {
    return this.#alive(() => this.#webhooks.add(webhook, max));
  }

  async changeWebhook(id: string, change: WebhookChange): Promise<WebhookRecord | undefined> {
    const changed = this.#alive(() => this.#webhooks.change(id, change));
    this.#recorded();
    return changed;
  }

  async removeWebhook(id: string): Promise<boolean> {
    const isRemoved = this.#alive(() => this.#webhooks.remove(id));
    this.#recorded();
    return isRemoved;
  }

  async wantedEvents(): Promise<readonly string[]> {
    return this.#alive((row) => this.#queue.wanted(row), 'read');
  }

  async webhookWork(): Promise<WebhookWork | undefined> {
    return this.#driver.transaction(() => this.#queue.work(this.#row() === undefined), 'read');
  }

  async webhookEvents(after: number, limit: number): Promise<readonly QueuedEvent[]> {
    return this.#driver.transaction(() => this.#queue.events(after, limit), 'read');
  }

  async settleWebhooks(progress: readonly WebhookProgress[]): Promise<number | undefined> {
    return this.#driver.transaction(() => this.#queue.settle(progress));
  }

  async delayWebhooks(until: number): Promise<void> {
    this.#queue.delay(until);
  }

  #record(row: RepoRow, events: readonly RecordedEvent[]): void {
    this.#events.add(row.account, forListener(events), row.status !== 'ready');
    this.#queue.add(row, events);
  }

  #grow(): void {
    this.#driver.run('UPDATE repos SET version = version + 1 WHERE id = ?', this.#id);
  }

  /** Runs `work` in a transaction on an existing repository. With `read`, it must not write. */
  #alive<T>(work: (row: RepoRow) => T, kind?: 'read'): T {
    return this.#driver.transaction(() => {
      const row = this.#row();
      if (row === undefined) throw gone();
      return work(row);
    }, kind);
  }

  #row(): RepoRow | undefined {
    return this.#driver.all<RepoRow>('SELECT * FROM repos WHERE id = ? AND erased = 0', this.#id)[0];
  }

  #source({ version, oldest_refs: oldest }: RepoRow): RefSource {
    return sqlRefSource(new SqlRefs(this.#driver, this.#id), this.#history, version, oldest);
  }

  #snapshot(row: RepoRow): HostedSnapshot {
    return {
      version: row.version,
      refs: fewRefs(this.#source(row)),
      packs: this.#packs.list(),
      shallow: this.#shallow.list(),
      defaultBranch: row.default_branch,
      retiredTips: this.#tips.list(snapshotTipsMax),
      name: row.name,
      refCount: row.ref_count,
    };
  }
}

function headOf(row: RepoRow): RepoHead {
  return {
    account: row.account,
    id: row.id,
    namespace: row.namespace,
    name: row.name,
    defaultBranch: row.default_branch,
    readOnly: row.read_only === 1,
    status: row.status,
  };
}

function gone(): RepoGoneError {
  return new RepoGoneError('The repository was deleted');
}
