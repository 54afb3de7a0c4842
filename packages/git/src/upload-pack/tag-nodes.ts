import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';

/** The nodes of the tags that `include-tag` may add (GIT-068). */
export function tagNodes(view: RepositoryView, visibility: Visibility): readonly number[] {
  const nodes: number[] = [];
  for (const ref of visibility.refs) {
    if (ref.kind === 'tag' && ref.name.startsWith('refs/tags/')) nodes.push(view.set.findNodeById(ref.oid));
  }
  return nodes;
}
