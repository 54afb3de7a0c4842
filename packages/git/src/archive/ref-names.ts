import type { ObjectId } from '../object/object-id.ts';
import { recordsOf } from '../refs/packed-refs.ts';
import type { VisibleRefs } from '../stored-refs/visible-refs.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';

/** Names of the visible refs that lead to a commit, short and in the order of `git log --decorate`: HEAD comes first. */
export async function refNamesOf(refs: VisibleRefs, commit: ObjectId, work: Work): Promise<readonly string[]> {
  const head = await refs.head();
  const names: string[] = [];
  for await (const slice of refs.below('')) {
    for (const { name, oid, peeled } of recordsOf(slice)) {
      if (work.spend(cost.steps)) await work.yield();
      if (oid !== commit && peeled !== commit) continue;
      if (name !== head.ref) names.unshift(shortName(name));
    }
  }
  return head.oid === commit ? [`HEAD -> ${shortName(head.ref)}`, ...names] : names;
}

function shortName(name: string): string {
  const short = name.replace(/^refs\/(?:heads|tags|remotes)\//, '');
  return name.startsWith('refs/tags/') ? `tag: ${short}` : short;
}
