import { objectIdToBytes, parseObjectId } from '../object/object-id.ts';
import { blobKind, commitKind, tagKind, treeKind } from '../object/kind.ts';
import { kindOfMode } from '../object/tree.ts';
import { TagEnds } from '../graph/peel.ts';
import { typedValues } from '../stored-refs/typed-names.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { entryOf } from '../content/find-file.ts';
import { cost } from '../work/costs.ts';
import { inTurns } from '../work/loops.ts';
import type { FilterSpec } from './filter-spec.ts';
import { objectFilter, type ObjectFilter } from './object-filter.ts';
import { invalidFilter } from './parse-filter.ts';
import { SparseMatcher } from './sparse-matcher.ts';
import { parseSparsePatterns } from './sparse-patterns.ts';

/**
 * Maximum size in bytes of the patterns of one filter, in all blobs together. The patterns of large monorepos have some
 * ten kilobytes.
 */
export const patternsMax: number = 64 * 1024;
/** Maximum number of `sparse:oid` parts in one filter. */
const namesMax = 8;

/**
 * A filter, with its patterns read (GIT-083).
 *
 * @throws {RequestRefusedError} GIT-085, if a `sparse:oid` names no visible blob, or one that is too large for patterns.
 */
export async function prepareFilter(
  view: RepositoryView,
  visibility: Visibility,
  { text, parts }: FilterSpec,
): Promise<ObjectFilter> {
  const names = new Set(parts.flatMap((part) => (part.kind === 'sparse:oid' ? part.name : [])));
  if (names.size > namesMax) throw invalidFilter(text);
  if (names.size > 0) await view.loadIndexes();
  const blobs = new Set<number>();
  let bytes = 0;
  for (const name of names) {
    const blob = await visibleBlob(view, visibility, name);
    if (blob < 0) throw invalidFilter(text);
    if (blobs.has(blob)) continue;
    blobs.add(blob);
    const { graph, objectStart } = view.set.packOfObject(blob);
    bytes += graph.sizes[blob - objectStart] as number;
    if (bytes > patternsMax) throw invalidFilter(text);
  }
  const matchers: SparseMatcher[] = [];
  for (const blob of blobs) matchers.push(new SparseMatcher(parseSparsePatterns((await view.read(blob)).body)));
  return objectFilter(parts, matchers);
}

/**
 * Returns the number of the blob that `<oid>`, `<ref>`, `<oid>:<path>` or `<ref>:<path>` names, or -1 if none is
 * visible.
 */
async function visibleBlob(view: RepositoryView, visibility: Visibility, name: string): Promise<number> {
  const colon = name.indexOf(':');
  const start = await visibleObject(view, visibility, colon < 0 ? name : name.slice(0, colon));
  if (start < 0) return -1;
  const object = colon < 0 ? start : await objectAt(view, await peeledToTree(view, start), name.slice(colon + 1));
  return object >= 0 && view.set.kind(object) === blobKind ? object : -1;
}

async function visibleObject(view: RepositoryView, visibility: Visibility, name: string): Promise<number> {
  const { set } = view;
  const { value } = await typedValues(visibility.refs, [name]).next();
  const oid = value ?? parseObjectId(name);
  const object = oid === undefined ? -1 : view.findObject(objectIdToBytes(oid), 0);
  if (object < 0) return -1;
  const introducers = await set.loadIntroducers(view.work);
  return introducers.hasIntroducer(object, await visibility.visibleNodes(), 1) ? object : -1;
}

/** The tree of a commit or tag. Other objects are returned unchanged. */
async function peeledToTree(view: RepositoryView, object: number): Promise<number> {
  const { set, work } = view;
  const kind = set.kind(object);
  if (kind !== commitKind && kind !== tagKind) return object;
  const node = set.findNodeById(view.objectId(object));
  const ends = new TagEnds(set);
  await ends.find([node], work);
  return set.nodeTrees[ends.of(node)] as number;
}

/** Returns the object at a path below a tree, or -1 if there is no object. */
async function objectAt(view: RepositoryView, tree: number, path: string): Promise<number> {
  let object = tree;
  for (const name of path.split('/')) {
    if (view.set.kind(object) !== treeKind) return -1;
    const { body } = await view.read(object);
    const entry = await inTurns(view.work, cost.entries, entryOf(body, encodeUtf8(name)));
    if (entry === undefined || kindOfMode(entry.mode) === 0) return -1;
    object = view.findObject(entry.oid, 0);
    if (object < 0) return -1;
  }
  return object;
}
