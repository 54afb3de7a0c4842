import type { PostgresDriver, PostgresSession } from '@packhouse/base';
import type {
  CommitOutcome,
  ObjectId,
  PackFile,
  PackId,
  PackRecord,
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
  idleQueueBytesMax,
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
import { checkReplacement } from '../../repo-state/change.ts';
import type { MaintainedRepoState } from '../../repo-state/maintained.ts';
import { placeOf } from '../../repo-state/place-of.ts';
import { forListener } from '../../repo-state/event-lanes.ts';
import type { WebhookRow } from '../../repo-state/webhook-row.ts';
import { addWebhook, changeWebhook, ownWebhooks, removeWebhook, webhooksOf } from '../webhooks/webhook-list.ts';
import { queuedEvents, queueEvents, queueEventsInFront, settleQueue, webhookWork } from '../webhooks/webhook-queue.ts';
import { readWanted } from './wanted-events.ts';
import { commitChange } from './commit.ts';
import { eraseRepo, forgetRepo } from './erasure.ts';
import { addEvents, addEventsInFront, pendingEvents, releaseEvents, removeDelivered, waitingBytes } from './events.ts';
import { recordEvents } from './record-events.ts';
import { retiredTips } from './object-records.ts';
import { findOutcome, keyedParameters, keyedResult, recordOutcome } from './outcomes.ts';
import { forgetPacks, knowsPack, manifest, readFiles, readRetired, replacePacks, settlePack } from './packs.ts';
import { readRefs } from './read-refs.ts';
import { changeRepo, gone, lockRepo, readRows, type RepoRow } from './repo-row.ts';
import { openRepo, readSnapshot } from './snapshot.ts';
import { addToken, dropEndedTokens, listTokens, revokeToken, tokenByHash } from './tokens.ts';

/**
 * Opens the state of the repository `id` in a database with the tables of `postgresRepoStateMigrations`, without I/O. Every
 * method is one transaction. Those that change something lock the row of the repository, so any number of servers may
 * share the database.
 *
 * @param recorded called when new events may be due.
 */
export function postgresRepoState(
  driver: PostgresDriver,
  id: string,
  recorded: () => void = () => {},
): MaintainedRepoState {
  return new PostgresRepoState(driver, id, recorded);
}

class PostgresRepoState implements MaintainedRepoState {
  readonly #driver: PostgresDriver;
  readonly #id: string;
  readonly #recorded: () => void;

  constructor(driver: PostgresDriver, id: string, recorded: () => void) {
    this.#driver = driver;
    this.#id = id;
    this.#recorded = recorded;
  }

  async begin(head: RepoHead, firstToken: TokenRecord, events: readonly RecordedEvent[] = []): Promise<void> {
    await this.#driver.transaction(async (session) => {
      const added = await session.rows(
        `INSERT INTO packhouse.repos
           (id, account, namespace, name, default_branch, read_only, status, version, erased)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 1, false) ON CONFLICT (id) DO NOTHING RETURNING 1`,
        [this.#id, head.account, head.namespace, head.name, head.defaultBranch, head.readOnly, head.status],
      );
      if (added.length === 0) return;
      // The transaction reports a failure.
      addToken(session, this.#id, firstToken).catch(() => {});
      addEvents(session, head, forListener(events), true);
      queueEvents(session, head, events);
    });
    if (events.length > 0) this.#recorded();
  }

  async setStatus(status: RepoStatus, defaultBranch?: string, events: readonly RecordedEvent[] = []): Promise<void> {
    await this.#alive(async (session, row) => {
      void session.rows(
        `UPDATE packhouse.repos SET status = $2, default_branch = $3,
           version = version + CASE WHEN default_branch = $3 THEN 0 ELSE 1 END WHERE id = $1`,
        [this.#id, status, defaultBranch ?? row.default_branch],
      );
      if (events.length === 0) return;
      const heard = forListener(events);
      if (heard.length > 0) await addEventsInFront(session, row, heard);
      await queueEventsInFront(session, row, events);
    });
    if (events.length > 0) this.#recorded();
  }

  async updateHead({ revision, name, defaultBranch, readOnly, events }: HeadUpdate): Promise<void> {
    await this.#alive(async (session, row) => {
      if (revision <= row.revision) return;
      void session.rows(
        `UPDATE packhouse.repos SET name = $2, default_branch = $3, read_only = $4, revision = $5,
           version = version + 1 WHERE id = $1`,
        [this.#id, name, defaultBranch, readOnly, revision],
      );
      recordEvents(session, row, events);
    });
    if (events.length > 0) this.#recorded();
  }

  open(secretHash: string | null, known?: number): Promise<OpenedRepo> {
    return openRepo(this.#driver, this.#id, secretHash, known);
  }

  snapshot(known?: number): Promise<HostedSnapshot | undefined> {
    return readSnapshot(this.#driver, this.#id, known);
  }

  refs(version: number, query: RefQuery): Promise<RefPage | undefined> {
    return readRefs(this.#driver, this.#id, version, query);
  }

  async commit(change: RepoChange): Promise<CommitOutcome> {
    const outcome = await commitChange(this.#driver, this.#id, change);
    if (change.updates.some(({ event }) => event !== undefined)) this.#recorded();
    return outcome;
  }

  async outcome(pushId: string): Promise<CommitOutcome | undefined> {
    const [row] = await this.#read<{ outcome: string }>(
      'SELECT outcome FROM packhouse.outcomes WHERE repo_id = $1 AND push_id = $2',
      [pushId],
    );
    return row && (JSON.parse(row.outcome) as CommitOutcome);
  }

  async rowFiles(ids: readonly PackId[], files: readonly PackFile[]): Promise<readonly RowFile[]> {
    return readFiles(this.#driver, this.#id, ids, files);
  }

  async rowPacks(): Promise<readonly PackRecord[]> {
    const packs = await this.#read<PackRecord>(manifest);
    return packs.filter(({ where }) => where === 'rows');
  }

  async hasStored(ids: readonly PackId[]): Promise<boolean> {
    const asked = [...new Set(ids)];
    const found = await this.#read(
      `SELECT id FROM packhouse.packs
       WHERE repo_id = $1 AND id = ANY($2) AND retired_at IS NULL AND place = 'store'`,
      [asked],
    );
    return found.length === asked.length;
  }

  async settle(id: PackId): Promise<boolean> {
    return this.#alive(async (session) => {
      const settled = await settlePack(session, this.#id, id);
      if (settled) this.#grow(session);
      return settled;
    });
  }

  async replacePacks(replacement: PackReplacement): Promise<ReplaceOutcome> {
    checkReplacement(replacement);
    const { id, at, remove, add, leavesOut, ifVersion } = replacement;
    return this.#driver.transaction(async (session): Promise<ReplaceOutcome> => {
      const [row, recorded, isKnown, packs] = await Promise.all([
        lockRepo(session, this.#id),
        findOutcome(session, this.#id, id, at),
        // Also match by pack id: the record of the replacement may have expired.
        add !== undefined && knowsPack(session, this.#id, add.id),
        session.rows<PackRecord>(manifest, [this.#id]),
      ]);
      if (row === undefined) throw gone();
      if (recorded !== undefined || isKnown) return 'done';
      const place = placeOf(packs, remove);
      if (place === undefined) return 'packs changed';
      if (ifVersion !== undefined && ifVersion !== row.version) return 'version changed';
      const made = add && { ...add, exact: add.exact && packs.length === remove.length };
      const version = row.version + 1;
      replacePacks(session, this.#id, packs.slice(place, place + remove.length), made, { at, version });
      void session.rows(
        `UPDATE packhouse.repos SET version = $2,
           left_out_version = CASE WHEN $3 THEN $2 ELSE left_out_version END WHERE id = $1`,
        [this.#id, version, leavesOut],
      );
      recordOutcome(session, this.#id, id, at, { kind: 'replaced' });
      return 'done';
    });
  }

  async retiredPacks(): Promise<readonly RetiredPack[]> {
    return readRetired(this.#driver, this.#id);
  }

  async forgetPacks(ids: readonly PackId[]): Promise<void> {
    await this.#alive(async (session) => forgetPacks(session, this.#id, ids));
  }

  async retiredTips(): Promise<readonly RetiredTip[]> {
    return this.#read<RetiredTip>(retiredTips);
  }

  async forgetTips(before: number): Promise<void> {
    await this.#alive(async (session) => {
      void session.rows('DELETE FROM packhouse.uploaded_blobs WHERE repo_id = $1 AND at < $2', [this.#id, before]);
      void session.rows(
        `WITH dropped AS (DELETE FROM packhouse.retired_tips WHERE repo_id = $1 AND at < $2 RETURNING 1)
         UPDATE packhouse.repos SET version = version + 1 WHERE id = $1 AND EXISTS (SELECT FROM dropped)`,
        [this.#id, before],
      );
    });
  }

  async uploadedBlobs(oids: readonly ObjectId[]): Promise<readonly ObjectId[]> {
    const found = await this.#read<{ oid: ObjectId }>(
      'SELECT oid FROM packhouse.uploaded_blobs WHERE repo_id = $1 AND oid = ANY($2)',
      [oids],
    );
    return found.map(({ oid }) => oid);
  }

  async keyedResult(key: string, at: number): Promise<string | undefined> {
    const [row] = await this.#read<{ result: string }>(keyedResult, keyedParameters(key, at));
    return row?.result;
  }

  async planMaintenance(at: number | undefined, known?: number): Promise<void> {
    await this.#alive(async (session) => {
      void session.rows(
        'UPDATE packhouse.repos SET maintain_at = $2 WHERE id = $1 AND ($3::int8 IS NULL OR version = $3)',
        [this.#id, at ?? null, known ?? null],
      );
    });
  }

  async addToken(token: TokenRecord, at: number, history: number, event?: RecordedEvent): Promise<readonly string[]> {
    const dropped = await this.#alive(async (session, row) => {
      const [isAdded, ended] = await Promise.all([
        addToken(session, this.#id, token),
        dropEndedTokens(session, this.#id, at, history),
      ]);
      if (isAdded && event !== undefined) recordEvents(session, row, [event]);
      return ended;
    });
    if (event !== undefined) this.#recorded();
    return dropped;
  }

  async tokens(list: TokenList): Promise<TokenPart> {
    return listTokens(this.#driver, this.#id, list);
  }

  async tokenId(secretHash: string): Promise<string | undefined> {
    const [token] = await this.#read<TokenRecord>(tokenByHash, [secretHash]);
    return token?.id;
  }

  async revokeToken(id: string, at: number, event?: RecordedEvent): Promise<'revoked' | 'ended' | 'unknown'> {
    const outcome = await this.#alive(async (session, row) => {
      const revoked = await revokeToken(session, this.#id, id, at);
      if (revoked === 'revoked' && event !== undefined) recordEvents(session, row, [event]);
      return revoked;
    });
    if (event !== undefined) this.#recorded();
    return outcome;
  }

  async storedBytes(): Promise<number> {
    const [row] = await this.#read<{ bytes: number }>(
      `SELECT coalesce(sum(pack_size + idx_size + graph_size), 0) AS bytes FROM packhouse.packs
       WHERE repo_id = $1 AND retired_at IS NULL`,
    );
    return row?.bytes ?? 0;
  }

  async lastPush(): Promise<LastPush | undefined> {
    const [push] = await this.#read<LastPush>(
      'SELECT pushed_at AS at, version FROM packhouse.repos WHERE id = $1 AND pushed_at IS NOT NULL',
    );
    return push;
  }

  async erase(event?: RecordedEvent): Promise<void> {
    await eraseRepo(this.#driver, this.#id, event);
    if (event !== undefined) this.#recorded();
  }

  async forget(isUnheard = false): Promise<boolean> {
    return forgetRepo(this.#driver, this.#id, isUnheard);
  }

  async record(event: RecordedEvent): Promise<boolean> {
    const isRecorded = await this.#alive(async (session, row) => {
      const isHeard = event.webhooksOnly !== true;
      if (isHeard && (await waitingBytes(session, this.#id)) >= idleQueueBytesMax) return false;
      recordEvents(session, row, [event]);
      return true;
    });
    this.#recorded();
    return isRecorded;
  }

  async releaseEvents(): Promise<void> {
    await this.#changeQueue((session) => releaseEvents(session, this.#id));
    this.#recorded();
  }

  async pendingEvents(limit: number): Promise<PendingEvents> {
    return pendingEvents(this.#driver, this.#id, limit);
  }

  async delivered(ids: readonly string[], keepUntil?: number): Promise<void> {
    await this.#changeQueue((session) => removeDelivered(session, this.#id, ids, keepUntil));
  }

  async retryEventsAt(at: number, attempts: number): Promise<void> {
    await this.#driver.rows('UPDATE packhouse.event_queues SET due = $2, attempts = $3 WHERE repo_id = $1', [
      this.#id,
      at,
      attempts,
    ]);
  }

  async webhooks(): Promise<readonly WebhookRecord[]> {
    return webhooksOf(await this.#read<WebhookRow>(ownWebhooks));
  }

  async addWebhook(webhook: WebhookRecord, max: number): Promise<boolean> {
    return this.#alive((session) => addWebhook(session, this.#id, webhook, max));
  }

  async changeWebhook(id: string, change: WebhookChange): Promise<WebhookRecord | undefined> {
    const changed = await this.#alive((session) => changeWebhook(session, this.#id, id, change));
    this.#recorded();
    return changed;
  }

  async removeWebhook(id: string): Promise<boolean> {
    const isRemoved = await this.#alive((session) => removeWebhook(session, this.#id, id));
    this.#recorded();
    return isRemoved;
  }

  wantedEvents(): Promise<readonly string[]> {
    return readWanted(this.#driver, this.#id);
  }

  webhookWork(): Promise<WebhookWork | undefined> {
    return webhookWork(this.#driver, this.#id);
  }

  webhookEvents(after: number, limit: number): Promise<readonly QueuedEvent[]> {
    return queuedEvents(this.#driver, this.#id, after, limit);
  }

  settleWebhooks(progress: readonly WebhookProgress[]): Promise<number | undefined> {
    return this.#changeQueue((session) => settleQueue(session, this.#id, progress));
  }

  async delayWebhooks(until: number): Promise<void> {
    await this.#driver.rows('UPDATE packhouse.webhook_queues SET due = $2 WHERE repo_id = $1', [this.#id, until]);
  }

  #alive<T>(work: (session: PostgresSession, row: RepoRow) => Promise<T>): Promise<T> {
    return changeRepo(this.#driver, this.#id, work);
  }

  #read<Row extends object>(query: string, parameters?: Parameters<PostgresSession['rows']>[1]): Promise<Row[]> {
    return readRows<Row>(this.#driver, this.#id, query, parameters);
  }

  /** Changes waiting events, also those of an erased repository. */
  #changeQueue<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    return this.#driver.transaction((session) => {
      void session.rows('SELECT 1 FROM packhouse.repos WHERE id = $1 FOR NO KEY UPDATE', [this.#id]);
      return work(session);
    });
  }

  #grow(session: PostgresSession): void {
    void session.rows('UPDATE packhouse.repos SET version = version + 1 WHERE id = $1', [this.#id]);
  }
}
