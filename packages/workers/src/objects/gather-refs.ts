import type { PackedRefs, RefPage, RefQuery, RepoState } from '@packhouse/git';

/** Approximate bytes of names in one answer. With everything else, far below the 32 MiB limit of a message. */
const namesMax = 4 * 1_048_576;
/** Number of pages to read before other calls get a turn. */
const pagesInTurn = 8;

/** Reads many pages of refs into one answer, all of the requested version. Undefined if that version is too old. */
export async function gatherRefs(state: RepoState, version: number, query: RefQuery): Promise<RefPage | undefined> {
  if (query.kind === 'named' || query.kind === 'pointing' || (query.kind === 'below' && query.limit !== undefined)) {
    return state.refs(version, query);
  }
  const chunks: PackedRefs[] = [];
  let asked = query;
  for (let pages = 1, bytes = 0; ; pages++) {
    const page = await state.refs(version, asked);
    if (page === undefined) return undefined;
    chunks.push(...page.chunks);
    bytes += page.chunks.reduce((sum, { names }) => sum + names.length, 0);
    if (page.next === undefined || bytes >= namesMax) return { chunks, next: page.next };
    asked = { ...asked, after: page.next };
    if (pages % pagesInTurn === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
