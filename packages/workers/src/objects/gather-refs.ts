import type { PackedRefs, RefPage, RefQuery, RepoState } from '@packhouse/git';

/** Bytes of names that one answer carries, about: with all else, far below the 32 MiB that a message may have. */
const namesMax = 4 * 1_048_576;
/** Pages that are read before other calls have their turn. */
const pagesInTurn = 8;

/** Reads one part of refs for an answer: many pages of the state, all of the version that was asked for. */
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
