import type { RecordedEvent } from '@packhouse/git';
import type { RepoRecord, RepoSort, RepoStatus } from '@packhouse/hosting';

/**
 * A repo as SQL selects it. The description is bytes, since it may contain any character. `last_push_at` is -1 without a
 * push; `unsettled` is JSON.
 */
export interface RepoRow {
  readonly id: string;
  readonly namespace: string;
  readonly jurisdiction: string;
  readonly name: string;
  readonly description: Uint8Array | null;
  readonly default_branch: string;
  readonly read_only: number | boolean;
  readonly source: string | null;
  readonly status: RepoStatus;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last_push_at: number;
  readonly version: number;
  readonly parent_id: string | null;
  readonly root_id: string | null;
  readonly revision: number;
  readonly unsettled: string | null;
}

/** Columns that lists sort by, of a table with the alias `r`. */
export const sortColumns: Readonly<Record<RepoSort, string>> = {
  created_at: 'r.created_at',
  updated_at: 'r.updated_at',
  last_push_at: 'r.last_push_at',
  name: 'r.folded',
};

/** Keeps a byte order mark at the start of a description. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function repoOf(row: RepoRow): RepoRecord {
  return {
    id: row.id,
    namespace: row.namespace,
    jurisdiction: row.jurisdiction,
    name: row.name,
    description: row.description === null ? null : utf8.decode(row.description),
    defaultBranch: row.default_branch,
    readOnly: Boolean(row.read_only),
    source: row.source,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastPushAt: row.last_push_at < 0 ? null : row.last_push_at,
    version: row.version,
    parentId: row.parent_id,
    rootId: row.root_id,
    revision: row.revision,
    unsettled: row.unsettled === null ? null : (JSON.parse(row.unsettled) as RecordedEvent[]),
  };
}
