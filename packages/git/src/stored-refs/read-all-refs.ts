import type { RepoSnapshot, RepoState } from '../ports/repo-state.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import { recordsOf } from '../refs/packed-refs.ts';
import type { RefName } from '../refs/ref-name.ts';
import { RefsExpiredError } from './repo-refs.ts';

/**
 * Reads all refs of a snapshot, sorted bytewise by name, for tools and tests. Request handlers read only the refs they
 * need.
 *
 * @throws {RefsExpiredError} if too much has changed since the snapshot.
 */
export async function readAllRefs(state: RepoState, { version }: RepoSnapshot): Promise<readonly RefRecord[]> {
  const all: RefRecord[] = [];
  for (let after: RefName | undefined; ;) {
    const page = await state.refs(version, { kind: 'below', prefix: '', ...(after === undefined ? {} : { after }) });
    if (page === undefined) throw new RefsExpiredError();
    for (const refs of page.chunks) all.push(...recordsOf({ refs, from: 0, to: refs.count }));
    if (page.next === undefined) return all;
    after = page.next;
  }
}
