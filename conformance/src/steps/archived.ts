/** A commit whose archive shows what attributes, modes and long names do (REPO-289, REPO-290). */

import { blob, commit, made, type MadeObject } from '../tools/made-objects.ts';

/** Makes a tree; names must be sorted. */
function treeOf(entries: readonly (readonly [mode: string, name: string, oid: string])[]): MadeObject {
  const parts = entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
  return made('tree', Buffer.concat(parts));
}

const attributes = blob(
  [
    '[attr]gone export-ignore',
    'secret* gone',
    'secret-not -gone -export-ignore',
    'crlf text eol=crlf ident',
    'wide working-tree-encoding=UTF-16LE-BOM',
    'subst export-subst',
  ].join('\n'),
);
const inner = blob('only/ export-ignore\nf -ident\n');
const text = blob('one\n$Id$\ntwo \u00e9\n');
const formats = blob('$Format:%H %h %T %an <%ae> %ad %cI% d$ $Format:%s%n%q$\n');
const large = blob(Buffer.alloc(700_000, 'some bytes '));
const link = blob('../crlf');
const long = 'n'.repeat(120);

const only = treeOf([['100644', 'f', text.oid]]);
const dir = treeOf([
  ['100644', '.gitattributes', inner.oid],
  ['100644', 'f', text.oid],
  ['120000', 'link', link.oid],
  ['160000', 'module', '1'.repeat(40)],
  ['40000', 'only', only.oid],
  ['100755', 'run', text.oid],
]);
const deep = treeOf([['40000', long, only.oid]]);
const root = treeOf([
  ['100644', '.gitattributes', attributes.oid],
  ['100644', 'crlf', text.oid],
  ['40000', 'deep', deep.oid],
  ['40000', 'dir', dir.oid],
  ['100644', 'large', large.oid],
  ['100644', long, text.oid],
  ['100644', 'secret', text.oid],
  ['100644', 'secret-not', text.oid],
  ['100644', 'subst', formats.oid],
  ['100644', 'wide', text.oid],
]);

export const archivedCommit: MadeObject & { readonly root: string } = {
  ...commit('Archive it', root),
  root: root.oid,
};

/** All objects of the commit. */
export const archivedObjects: readonly MadeObject[] = [
  archivedCommit,
  root,
  deep,
  dir,
  only,
  attributes,
  inner,
  text,
  formats,
  large,
  link,
];
