import { commitKind } from '../object/kind.ts';
import { parseObjectId, type ObjectId } from '../object/object-id.ts';
import { TagEnds } from '../graph/peel.ts';
import { cost } from '../work/costs.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';
import { findVisible } from './find-visible.ts';

/**
 * The node of the commit that a revision names (REPO-141, REPO-260); undefined if it does not resolve. Names of refs have
 * no `~` and no `^`, so the first of them ends the name.
 */
export async function resolveRevision(
  view: RepositoryView,
  visibility: Visibility,
  revision: string,
): Promise<number | undefined> {
  const end = revision.search(/[~^]/);
  if (end < 0) return resolveName(view, visibility, revision);
  const steps = revision.slice(end);
  if (!/^(?:[~^]\d*)+$/.test(steps)) return undefined;
  const start = await resolveName(view, visibility, revision.slice(0, end));
  return start === undefined ? undefined : follow(view, start, steps);
}

/** Entries that a step to a parent counts for. */
const entriesAStep = 4;

/** Goes `~n` first parents back, or to the `n`th parent with `^n`, as often as `steps` says. */
async function follow({ set, work }: RepositoryView, from: number, steps: string): Promise<number | undefined> {
  let node = from;
  for (const [, kind, digits] of steps.matchAll(/([~^])(\d*)/g)) {
    const number = digits === '' ? 1 : Number(digits);
    const [count, nth] = kind === '~' ? [number, 1] : [Math.min(number, 1), number];
    for (let i = 0; i < count; i++) {
      if (work.spend(cost.entries, entriesAStep)) await work.yield();
      const parent = (set.parentStarts[node] as number) + nth - 1;
      if (parent >= (set.parentStarts[node + 1] as number)) return undefined;
      node = set.parents[parent] as number;
    }
  }
  return node;
}

/** The first rule that finds something decides: an id that names a tree is no commit, even where a branch has that name. */
async function resolveName(
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
  const names = namesOfRevision(revision);
  const found = await refs.find(names);
  return names.flatMap((name) => found.get(name)?.oid ?? [])[0];
}

/** Returns the refs that a revision may name; the first that exists counts (REPO-141). */
export function namesOfRevision(revision: string): readonly string[] {
  return [
    ...(revision.startsWith('refs/') ? [revision] : []),
    ...(/^(?:heads|tags)\//.test(revision) ? [`refs/${revision}`] : []),
    `refs/heads/${revision}`,
    `refs/tags/${revision}`,
  ];
}

/** Peels a node to a commit. A ref may also point to a tree or blob, which is not a node. */
async function commitOf({ set, work }: RepositoryView, node: number): Promise<number | undefined> {
  if (node < 0) return undefined;
  const ends = new TagEnds(set);
  await ends.find([node], work);
  const end = ends.of(node);
  return set.nodeKind(end) === commitKind ? end : undefined;
}
