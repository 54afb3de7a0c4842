import type { NamespaceRecord } from '@packhouse/hosting';

/** A namespace as SQL selects it. */
export interface NamespaceRow {
  readonly name: string;
  readonly jurisdiction: string;
  readonly repo_count: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Columns of a {@link NamespaceRow}. */
export const namespaceColumns = 'name, jurisdiction, repo_count, created_at, updated_at';

export function namespaceOf(row: NamespaceRow): NamespaceRecord {
  return {
    name: row.name,
    jurisdiction: row.jurisdiction,
    repoCount: row.repo_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
