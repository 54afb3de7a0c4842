/** Ref values that reach a missing object, through each kind of link. */

import { blob, change, commit, tag, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { known } from './known.ts';

export interface Hole {
  /** A part of the case id. */
  readonly name: string;
  readonly ref: string;
  readonly value: MadeObject;
  /** The pushed objects. */
  readonly sent: readonly MadeObject[];
  readonly missing: readonly MadeObject[];
}

const [lost, kept] = [blob('lost\n'), blob('kept\n')];
const inner = tree({ kept, lost });
const root = tree({ folder: inner, top: kept });
const flat = tree({ lost });
const twice = tree({ a: inner, b: inner });
const parent = change('parent', known);
const middle = change('middle', parent);
const tip = change('tip', middle);
const merge = commit('merge', parent.root, [known, parent]);
const octopus = commit('octopus', parent.root, [known, middle, parent]);
const same = commit('same tree as its parent', flat, [over(flat, known)]);
const tagged = tag('tagged', parent);
const outer = tag('outer', tagged);
const branch = 'refs/heads/bad';
const label = 'refs/tags/bad';

function over(top: MadeObject, ...parents: readonly MadeObject[]): MadeObject {
  return commit('over', top, parents);
}

function hole(
  name: string,
  value: MadeObject,
  sent: readonly MadeObject[],
  missing: readonly MadeObject[],
  ref = branch,
): Hole {
  return { name, ref, value, sent, missing };
}

export const holes: readonly Hole[] = [
  hole('value', parent, [], parent.all),
  hole('file', over(flat, known), [over(flat, known), flat], [lost]),
  hole('file-of-root-commit', over(flat), [over(flat), flat], [lost]),
  hole('file-in-folder', over(root, known), [over(root, known), root, inner, kept], [lost]),
  hole('folder', over(root), [over(root), root, kept, lost], [inner]),
  hole('folder-that-stands-twice', over(twice), [over(twice), twice, kept, lost], [inner]),
  hole('tree', over(root, known), [over(root, known), inner, kept, lost], [root]),
  hole('parent', middle, middle.all, parent.all),
  hole('tree-of-parent', middle, [...middle.all, parent, parent.file], [parent.root]),
  hole('file-of-parent', middle, [...middle.all, parent, parent.root], [parent.file]),
  hole('file-of-parent-with-same-tree', same, [same, over(flat, known), flat], [lost]),
  hole('grandparent', tip, [...tip.all, ...middle.all], parent.all),
  hole('second-parent', merge, [merge, parent.root, parent.file], [parent]),
  hole('third-parent', octopus, [octopus, ...middle.all, parent.root, parent.file], [parent]),
  hole('commit-of-tag', tagged, [tagged, parent.root, parent.file], [parent], label),
  hole('file-below-tag', tagged, [tagged, parent, parent.root], [parent.file], label),
  hole('inner-tag', outer, [outer, ...parent.all], [tagged], label),
  hole('commit-of-inner-tag', outer, [outer, tagged], parent.all, label),
  hole('tree-of-tag', tag('t', root), [tag('t', root), inner, kept, lost], [root], label),
  hole('file-of-tree-of-tag', tag('t', root), [tag('t', root), root, inner, kept], [lost], label),
  hole('file-of-tag', tag('t', lost), [tag('t', lost)], [lost], label),
  hole('file-of-tree-of-ref', root, [root, inner, kept], [lost], 'refs/trees/bad'),
  hole('folder-of-tree-of-ref', root, [root, kept, lost], [inner], 'refs/trees/bad'),
  hole('blob-of-ref', lost, [], [lost], 'refs/blobs/bad'),
];
