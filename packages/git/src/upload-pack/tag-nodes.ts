import { tagKind } from '../object/kind.ts';
import { objectIdBytes } from '../object/object-id.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';

/** The nodes of the tags that `include-tag` may add (GIT-068). */
export async function tagNodes({ set }: RepositoryView, { refs: visible }: Visibility): Promise<readonly number[]> {
  const nodes: number[] = [];
  for await (const { refs, from, to } of visible.below('refs/tags/')) {
    for (let i = from; i < to; i++) {
      if (refs.kinds[i] === tagKind) nodes.push(set.findNode(refs.oids, i * objectIdBytes));
    }
  }
  return nodes;
}
