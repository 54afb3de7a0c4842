/** Follows the links between objects, without the kit. */

import { NotDone } from '../core/outcome.ts';
import type { MadeObject } from './made-objects.ts';

/** A link from an object to another one. */
export interface Link {
  readonly oid: string;
  readonly kind: MadeObject['kind'];
}

/** Returns the links of an object as Git reads them. Submodule links and entries of odd types lead nowhere. */
export function linksOf({ kind, body, oid }: MadeObject): Link[] {
  if (kind === 'blob') return [];
  if (kind === 'tree') return treeLinks(body, oid);
  const lines = body.toString('latin1').split('\n');
  if (kind === 'tag') {
    const target = idAfter('object', lines[0]);
    const [, type] = /^type (commit|tree|blob|tag)$/.exec(lines[1] ?? '') ?? [];
    if (target === undefined || type === undefined) throw new NotDone(`a tag that names nothing: ${oid}`);
    return [{ oid: target, kind: type as MadeObject['kind'] }];
  }
  const root = idAfter('tree', lines[0]);
  if (root === undefined) throw new NotDone(`a commit without a tree: ${oid}`);
  const links: Link[] = [{ oid: root, kind: 'tree' }];
  // The parents directly follow the tree.
  for (let i = 1; ; i++) {
    const parent = idAfter('parent', lines[i]);
    if (parent === undefined) return links;
    links.push({ oid: parent, kind: 'commit' });
  }
}

function idAfter(word: string, line = ''): string | undefined {
  return new RegExp(`^${word} ([0-9a-f]{40})$`, 'i').exec(line)?.[1]?.toLowerCase();
}

function treeLinks(body: Buffer, oid: string): Link[] {
  const links: Link[] = [];
  for (let at = 0; at < body.length;) {
    const end = body.indexOf(0, at);
    if (end < 0 || end + 21 > body.length) throw new NotDone(`a tree that is cut off: ${oid}`);
    const mode = Number.parseInt(body.toString('latin1', at, body.indexOf(' ', at)), 8);
    const target = body.toString('hex', end + 1, end + 21);
    const type = mode & 0o170000;
    if (type === 0o040000) links.push({ oid: target, kind: 'tree' });
    else if (type === 0o100000 || type === 0o120000) links.push({ oid: target, kind: 'blob' });
    at = end + 21;
  }
  return links;
}

/**
 * Returns the ids of everything that the values reach.
 *
 * @throws if an object is missing in `objects`, or is not of the kind that the link to it declares.
 */
export function reached(from: Iterable<string>, objects: ReadonlyMap<string, MadeObject>): Set<string> {
  const found = new Set<string>();
  const left: { readonly oid: string; readonly kind?: string }[] = [...from].map((oid) => ({ oid }));
  for (let link = left.pop(); link !== undefined; link = left.pop()) {
    const object = objects.get(link.oid);
    if (object === undefined) throw new NotDone(`${link.kind ?? 'object'} ${link.oid} is missing`);
    if (link.kind !== undefined && link.kind !== object.kind) {
      throw new NotDone(`${link.oid} is a ${object.kind}, and named as a ${link.kind}`);
    }
    if (found.has(link.oid)) continue;
    found.add(link.oid);
    left.push(...linksOf(object));
  }
  return found;
}
