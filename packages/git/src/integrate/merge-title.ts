import { namesOfRevision } from '../content/resolve-revision.ts';
import { parseObjectId } from '../object/object-id.ts';
import type { RefName } from '../refs/ref-name.ts';
import type { VisibleRefs } from '../stored-refs/visible-refs.ts';

/** Branches that the title of a merge into them does not name, as `merge.suppressDest` of Git has it by default. */
const unnamed: ReadonlySet<string> = new Set(['main', 'master']);

/**
 * Returns the message that `git merge` gives a merge by default, or `git pull` if the revision is of another repository.
 *
 * @param into the branch that takes the merge.
 * @param remote the address of the other repository.
 */
export async function mergeTitle(
  refs: VisibleRefs,
  revision: string,
  into: RefName,
  remote: string | undefined,
): Promise<string> {
  const branch = into.slice('refs/heads/'.length);
  const target = unnamed.has(branch) ? '' : ` into ${branch}`;
  if (remote === undefined) return `Merge ${await describeRevision(refs, revision)}${target}\n`;
  const address = remote.replace(/\.git$/, '');
  if (revision === 'HEAD') return `Merge ${address}${target}\n`;
  const short = revision.replace(/^(?:refs\/)?(?:heads|tags)\//, '');
  const kind = (await refKind(refs, revision)) ?? 'commit';
  return `Merge ${kind} '${kind === 'commit' ? revision : short}' of ${address}${target}\n`;
}

async function describeRevision(refs: VisibleRefs, revision: string): Promise<string> {
  const kind = await refKind(refs, revision);
  if (kind !== undefined) return `${kind} '${revision}'`;
  // The forms of steps for which Git names the branch.
  const [, name = '', steps = ''] = /^([^~^]+)(\^+|~\d*)$/.exec(revision) ?? [];
  const branch = `refs/heads/${name}`;
  if (name === '' || !(await refs.find([branch])).has(branch)) return `commit '${revision}'`;
  return `branch '${name}'${/^~0+$/.test(steps) ? '' : ' (early part)'}`;
}

/** Returns the kind of ref that a revision names, by the first rule that finds one. */
async function refKind(refs: VisibleRefs, revision: string): Promise<'branch' | 'tag' | undefined> {
  if (revision === 'HEAD') return 'branch';
  if (parseObjectId(revision) !== undefined) return undefined;
  const names = namesOfRevision(revision);
  const found = await refs.find(names);
  const name = names.find((one) => found.has(one)) ?? '';
  return name.startsWith('refs/heads/') ? 'branch' : name.startsWith('refs/tags/') ? 'tag' : undefined;
}
