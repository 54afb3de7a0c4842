import { commitKind } from '../object/kind.ts';
import { parseObjectId, type ObjectId } from '../object/object-id.ts';
import { TagEnds } from '../graph/peel.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';
import { findVisible } from './find-visible.ts';

/**
 * The node of the commit that a revision names (REPO-141); undefined if it does not resolve. The first rule that finds
 * something decides: an id that names a tree is no commit, even where a branch has that name.
 */
export async function resolveRevision(
  view: RepositoryView,
  visibility: Visibility,
  revision: string,
): Promise<number | undefined> {
  const oid = parseObjectId(revision);
  const found = oid === undefined ? undefined : await findVisible(view, visibility, oid);
  if (found !== undefined) return found.node < 0 ? undefined : commitOf(view, found.node);
  const value = await refValue(visibility, revision);
  return value === undefined ? undefined : commitOf(view, view.set.findNodeById(value));
}

/** Returns the value of the ref that a revision names. */
async function refValue({ refs }: Visibility, revision: string): Promise<ObjectId | undefined> {
  if (revision === 'HEAD') {
    const { oid } = await refs.head();
    if (oid !== undefined) return oid;
  }
  const names = [
    ...(revision.startsWith('refs/') ? [revision] : []),
    ...(/^(?:heads|tags)\//.test(revision) ? [`refs/${revision}`] : []),
    `refs/heads/${revision}`,
    `refs/tags/${revision}`,
  ];
  const found = await refs.find(names);
  return names.flatMap((name) => found.get(name)?.oid ?? [])[0];
}

/** Peels a node to a commit. A ref may also point to a tree or blob, which is not a node. */
async function commitOf({ set, work }: RepositoryView, node: number): Promise<number | undefined> {
  if (node < 0) return undefined;
  const ends = new TagEnds(set);
  await ends.find([node], work);
  const end = ends.of(node);
  return set.nodeKind(end) === commitKind ? end : undefined;
}
