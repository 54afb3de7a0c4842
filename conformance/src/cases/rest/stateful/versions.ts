/** Commits of a few small files, and their merges, as Git writes them. The model of the stateful cases is made of them. */

import { blob, commit, tree, type MadeObject } from '../../../tools/made-objects.ts';

/** A commit with everything that it reaches. */
export interface Version {
  readonly node: MadeObject;
  readonly parents: readonly Version[];
  /** The files of its tree, by path. */
  readonly files: ReadonlyMap<string, MadeObject>;
  /** The ids of its commits, itself included. */
  readonly history: ReadonlySet<string>;
  /** All objects that it reaches, by id. */
  readonly reach: ReadonlyMap<string, MadeObject>;
}

export const paths = ['a', 'b', 'c'] as const;

/** Makes a version with one file changed. The message ends with a line feed. */
export function nextVersion(parent: Version | undefined, path: string, content: string, message: string): Version {
  const files = new Map(parent?.files).set(path, blob(content));
  return versionOf(files, parent === undefined ? [] : [parent], message);
}

function versionOf(files: ReadonlyMap<string, MadeObject>, parents: readonly Version[], message: string): Version {
  const root = tree(Object.fromEntries([...files].sort(([one], [two]) => (one < two ? -1 : 1))));
  const node = commit(
    message.replace(/\n$/, ''),
    root,
    parents.map((parent) => parent.node),
  );
  const reach = new Map(parents.flatMap((parent) => [...parent.reach]));
  for (const object of [node, root, ...files.values()]) reach.set(object.oid, object);
  const history = new Set([node.oid, ...parents.flatMap((parent) => [...parent.history])]);
  return { node, parents, files, history, reach };
}

/** Returns the common ancestors that no other common ancestor has in its history. */
export function mergeBases(one: Version, two: Version): readonly Version[] {
  const all = new Map<string, Version>();
  const visit = (version: Version): void => {
    if (all.has(version.node.oid)) return;
    all.set(version.node.oid, version);
    for (const parent of version.parents) visit(parent);
  };
  visit(one);
  const common = [...all.values()].filter(({ node }) => two.history.has(node.oid));
  return common.filter(({ node }) => common.every((other) => other.node === node || !other.history.has(node.oid)));
}

/** Merges by whole files, each of which has one line. Returns the paths in conflict in place of a version with some. */
export function mergeVersions(base: Version, ours: Version, theirs: Version, message: string): Version | 'conflict' {
  const files = new Map(ours.files);
  for (const path of paths) {
    const [old, mine, other] = [base, ours, theirs].map((version) => version.files.get(path)?.oid);
    if (other === old || other === mine) continue;
    if (mine !== old) return 'conflict';
    files.set(path, theirs.files.get(path) as MadeObject);
  }
  return versionOf(files, [ours, theirs], message);
}
