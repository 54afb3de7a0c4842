import type { PostgresDriver, PostgresSession } from '@packhouse/base';
import { fewRefsMax, packRefs, snapshotTipsMax, type ObjectId, type PackRecord, type RetiredTip } from '@packhouse/git';
import type { HostedSnapshot, OpenedRepo, TokenRecord } from '@packhouse/hosting';
import { refOf, type TargetRow } from './ref-table.ts';
import { retiredTips, shallowCommits } from './object-records.ts';
import { manifest } from './packs.ts';
import { gone, headOf, readTogether, type RepoRow } from './repo-row.ts';
import { tokenByHash } from './tokens.ts';

/** Implements `HostedRepoState.open` in one round trip. */
export async function openRepo(
  driver: PostgresDriver,
  repo: string,
  secretHash: string,
  known: number | undefined,
): Promise<OpenedRepo> {
  const [rows, [token], parts] = await readTogether(driver, (session) => [
    readRow(session, repo),
    session.rows<TokenRecord>(tokenByHash, [repo, secretHash]),
    readParts(session, repo, known),
  ]);
  const [row] = rows;
  if (row === undefined) return { kind: 'gone' };
  const snapshot = token === undefined || row.version === known ? undefined : snapshotOf(row, parts);
  return { kind: 'open', head: headOf(row), token, version: row.version, snapshot };
}

/** Implements `RepoState.snapshot` in one round trip. */
export async function readSnapshot(
  driver: PostgresDriver,
  repo: string,
  known: number | undefined,
): Promise<HostedSnapshot | undefined> {
  const [[row], parts] = await readTogether(driver, (session) => [
    readRow(session, repo),
    readParts(session, repo, known),
  ]);
  if (row === undefined) throw gone();
  return row.version === known ? undefined : snapshotOf(row, parts);
}

function readRow(session: PostgresSession, repo: string): Promise<RepoRow[]> {
  return session.rows<RepoRow>('SELECT * FROM packhouse.repos WHERE id = $1 AND NOT erased', [repo]);
}

type Parts = readonly [TargetRow[], PackRecord[], { readonly oid: ObjectId }[], RetiredTip[]];

/** Reads the parts of a snapshot, none of them if `known` is the current version. */
function readParts(session: PostgresSession, repo: string, known: number | undefined): Promise<Parts> {
  const part = <Row>(query: string, limit: number | null): Promise<Row[]> =>
    session.rows<Row>(
      `SELECT * FROM (${query} LIMIT $3) AS part
       WHERE $2::int8 IS NULL OR EXISTS (SELECT FROM packhouse.repos WHERE id = $1 AND version <> $2)`,
      [repo, known ?? null, limit],
    );
  return Promise.all([
    part<TargetRow>('SELECT name, target FROM packhouse.refs WHERE repo_id = $1 ORDER BY name', fewRefsMax + 1),
    part<PackRecord>(manifest, null),
    part<{ oid: ObjectId }>(shallowCommits, null),
    part<RetiredTip>(retiredTips, snapshotTipsMax),
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
