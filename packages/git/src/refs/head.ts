import type { ObjectId } from '../object/object-id.ts';
import type { RefRecord } from './ref-record.ts';
import type { RefName } from './ref-name.ts';

/** The branch that HEAD names, and its value. Without `oid` the branch does not exist, so HEAD is unborn. */
export interface Head {
  readonly ref: RefName;
  readonly oid: ObjectId | undefined;
}

const branches = 'refs/heads/';

/**
 * Resolves HEAD of a repository (GIT-130): the default branch if it exists, else the only branch, else the unborn
 * default branch. `refs` are the visible ones, since hidden branches count as absent; `defaultBranch` is a checked
 * short name.
 */
export function resolveHead(refs: readonly Pick<RefRecord, 'name' | 'oid'>[], defaultBranch: string): Head {
  const ref = `${branches}${defaultBranch}` as RefName;
  let only: (typeof refs)[number] | undefined;
  let count = 0;
  for (const record of refs) {
    if (!record.name.startsWith(branches)) continue;
    if (record.name === ref) return { ref, oid: record.oid };
    only = record;
    count++;
  }
  return count === 1 && only !== undefined ? { ref: only.name, oid: only.oid } : { ref, oid: undefined };
}
