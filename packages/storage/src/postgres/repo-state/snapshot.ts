import type { PostgresDriver, PostgresSession } from '@packhouse/base';
import { fewRefsMax, packRefs, snapshotTipsMax, type ObjectId, type PackRecord, type RetiredTip } from '@packhouse/git';
import { eventNames, type HostedSnapshot, type OpenedRepo, type TokenRecord } from '@packhouse/hosting';
import { wantedBy, webhookOf, type WebhookRow } from '../../repo-state/webhook-row.ts';
import { heardWebhooks } from './wanted-events.ts';
import { refOf, type TargetRow } from './ref-table.ts';
import { retiredTips, shallowCommits } from './object-records.ts';
import { manifest } from './packs.ts';
import { gone, headOf, readTogether, type RepoRow } from './repo-row.ts';
import { tokenByHash } from './tokens.ts';

/**
 * Implements `HostedRepoState.open` in one round trip. With `known`, a second one reads the snapshot if it is another
 * version: most requests find the version that they know.
 */
export async function openRepo(
  driver: PostgresDriver,
  repo: string,
  secretHash: string | null,
  known: number | undefined,
): Promise<OpenedRepo> {
  const readHead = (session: PostgresSession) =>
    [
      readRow(session, repo),
      session.rows<TokenRecord>(tokenByHash, [repo, secretHash]),
      session.rows<WebhookRow>(heardWebhooks, [repo]),
    ] as const;
  const [[row], [token], webhooks, parts] =
    known === undefined
      ? await readTogether(driver, (session) => [...readHead(session), readParts(session, repo)])
      : await readTogether(driver, readHead);
  if (row === undefined) return { kind: 'gone' };
  const isSnapshot = (secretHash === null || token !== undefined) && row.version !== known;
  if (isSnapshot && parts === undefined) return openRepo(driver, repo, secretHash, undefined);
  const snapshot = isSnapshot && parts !== undefined ? snapshotOf(row, parts) : undefined;
  const wanted = wantedBy(webhooks.map(webhookOf), eventNames);
  return { kind: 'open', head: headOf(row), token, version: row.version, snapshot, wanted };
}

/** Implements `RepoState.snapshot` in one round trip, or two if `known` is another version. */
export async function readSnapshot(
  driver: PostgresDriver,
  repo: string,
  known: number | undefined,
): Promise<HostedSnapshot | undefined> {
  if (known !== undefined) {
    const [row] = await readRow(driver, repo);
    if (row?.version === known) return undefined;
  }
  const [[row], parts] = await readTogether(driver, (session) => [readRow(session, repo), readParts(session, repo)]);
  if (row === undefined) throw gone();
  return snapshotOf(row, parts);
}

function readRow(session: PostgresSession, repo: string): Promise<RepoRow[]> {
  return session.rows<RepoRow>('SELECT * FROM packhouse.repos WHERE id = $1 AND NOT erased', [repo]);
}

type Parts = readonly [TargetRow[], PackRecord[], { readonly oid: ObjectId }[], RetiredTip[]];

function readParts(session: PostgresSession, repo: string): Promise<Parts> {
  return Promise.all([
    session.rows<TargetRow>('SELECT name, target FROM packhouse.refs WHERE repo_id = $1 ORDER BY name LIMIT $2', [
      repo,
      fewRefsMax + 1,
    ]),
    session.rows<PackRecord>(manifest, [repo]),
    session.rows<{ oid: ObjectId }>(shallowCommits, [repo]),
    session.rows<RetiredTip>(`${retiredTips} LIMIT $2`, [repo, snapshotTipsMax]),
  ]);
}

function snapshotOf(row: RepoRow, [refs, packs, shallow, tips]: Parts): HostedSnapshot {
  return {
    version: row.version,
    refs: refs.length > fewRefsMax ? undefined : packRefs(refs.map(refOf)),
    packs,
    shallow: shallow.map(({ oid }) => oid),
    defaultBranch: row.default_branch,
    retiredTips: tips,
    name: row.name,
    refCount: row.ref_count,
  };
}
