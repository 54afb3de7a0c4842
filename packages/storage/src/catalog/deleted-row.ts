import type { PackId } from '@packhouse/git';
import type { DeletedRepo, RepoRecord } from '@packhouse/hosting';

/** A deleted repo as SQL selects it. `packs` and `record` are JSON. */
export interface DeletedRow {
  readonly id: string;
  readonly jurisdiction: string;
  readonly deleted_at: number;
  readonly due: number | null;
  readonly packs: string;
  readonly record: string | null;
}

/** Columns of a {@link DeletedRow}. */
export const deletedColumns = 'id, jurisdiction, deleted_at, due, packs, record';

/** Lower-case names of a repo and its namespace. */
export interface FoldedNames {
  readonly namespace: string;
  readonly folded: string;
}

/** Makes the deletion of a repo. Its record is kept only if it was ever ready. */
export function deletionOf(repo: RepoRecord, at: number): DeletedRepo {
  return {
    id: repo.id,
    jurisdiction: repo.jurisdiction,
    deletedAt: at,
    packs: [],
    record: repo.status === 'ready' ? repo : undefined,
  };
}

/** Encodes the record of a deletion. */
export function recordText({ record }: DeletedRepo): string | null {
  return record === undefined ? null : JSON.stringify(record);
}

export function deletedOf(row: DeletedRow): DeletedRepo {
  return {
    id: row.id,
    jurisdiction: row.jurisdiction,
    deletedAt: row.deleted_at,
    packs: JSON.parse(row.packs) as PackId[],
    record: row.record === null ? undefined : (JSON.parse(row.record) as RepoRecord),
  };
}

/** Returns the deletion that a name is remembered by, and if its first erasure is complete. */
export function rememberedOf(row: DeletedRow): { readonly repo: DeletedRepo; readonly erased: boolean } {
  return { repo: deletedOf(row), erased: row.due === null || row.due > row.deleted_at };
}
