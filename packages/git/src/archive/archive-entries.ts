import { FolderAttributes, type Attributes } from '../attributes/folder-attributes.ts';
import { toByteText } from '../bytes/byte-text.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { entryBytes, inflatedPieces } from '../content/blob-pieces.ts';
import { entryOf, partsMax } from '../content/find-file.ts';
import type { HeldMemory } from '../content/held-memory.ts';
import { formOfMode } from '../content/tree-entries.ts';
import { entriesABytes, entriesALookUp } from '../graph/snapshot-walk.ts';
import { readingMemory } from '../memory/reading-memory.ts';
import type { RequestAccount } from '../memory/request-account.ts';
import { objectIdAt, type ObjectId } from '../object/object-id.ts';
import { TreeCursor } from '../object/tree.ts';
import { PackError } from '../pack/pack-error.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { atOnceOrInTurns } from '../work/loops.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import { conversionOf, convertContent, type Conversion } from './convert-content.ts';
import type { CommitFormatter } from './format-commit.ts';
import { substitute } from './substitute.ts';

/** Bytes of a file up to which its attributes change its content, and of what formats make of it (LIM-035). */
const convertedMax = 4 * 1024 * 1024;
/** Bytes that converting takes, for each byte of a file and of what a format makes. */
const convertingPerByte = 8;

/** Files from this size on are read in pieces, if they are stored whole. */
const streamedMin = 512 * 1024;

/** Bytes that attributes take at most, for each byte of their file. */
const attributesPerByte = 256;

/** Bytes that knowing an empty tree takes. */
const emptyTreeMemory = 50;

/** Steps that an entry counts for, however small it is: finding, reading and describing it. */
const stepsAnEntry = 20;

const attributesName = encodeUtf8('.gitattributes');

/** The tree to archive, and how. */
export interface ArchiveSource {
  readonly view: RepositoryView;
  readonly account: RequestAccount;
  readonly memory: HeldMemory;
  /** Number of the root tree in the graph of the view. */
  readonly tree: number;
  /** Path of the only file or folder to archive; no parts for the whole tree. */
  readonly parts: readonly Uint8Array[];
  /** Stands before each path. With a slash at its end, it is a folder of the archive. */
  readonly prefix: Uint8Array;
  readonly commit: CommitFormatter;
}

/** A folder on the way to the current entry. */
interface OpenFolder {
  /** A byte text, with a slash at its end; empty for the root. */
  readonly path: string;
  /** Number of its tree in the graph of the view. */
  readonly tree: number;
  readonly hash: ObjectId;
  readonly cursor: TreeCursor;
  readonly attributes: FolderAttributes;
  /** Bytes of memory. */
  readonly held: number;
  /** A folder comes before its first file, link or submodule, even if that is ignored. An empty one never does. */
  isWritten: boolean;
  /** False as long as neither it nor a folder below has shown anything but folders. */
  hasFiles: boolean;
}

/** Yields what `git archive` writes for a tree, in its order. */
export async function* archiveEntries(source: ArchiveSource): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { view, memory, parts } = source;
  await view.loadIndexes();
  const prefix = toByteText(source.prefix);
  const folder = (path: string, hash: ObjectId): ArchiveEntry => ({
    kind: 'folder',
    isExecutable: false,
    path: prefix + path,
    hash,
    size: 0,
    content: undefined,
  });
  const root = view.objectId(source.tree);
  if (prefix.endsWith('/')) yield folder('', root);
  /** Trees without files: few of them may make any number of paths, of which none is written. */
  const empty = new Set<number>();
  const open = [
    await openFolder(source, { path: '', tree: source.tree, hash: root, attributes: FolderAttributes.root }),
  ];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { cursor } = top;
    const start = cursor.position;
    if (!cursor.next()) {
      open.pop();
      memory.drop(top.held);
      const above = open.at(-1);
      if (!top.hasFiles) {
        await memory.add(emptyTreeMemory);
        empty.add(top.tree);
      } else if (above !== undefined) above.hasFiles = true;
      continue;
    }
    view.work.spend(cost.entries, entriesABytes(cursor.position - start) + entriesALookUp(view.set));
    if (view.work.spend(cost.steps, stepsAnEntry)) await view.work.yield();
    const { body, nameStart, nameEnd, oidAt } = cursor;
    const part = parts[open.length - 1];
    if (part !== undefined && !isSame(part, body.subarray(nameStart, nameEnd))) continue;
    const { type } = formOfMode(cursor.mode);
    const isFolder = type === 'tree' || type === 'gitlink';
    const attributes = await atOnceOrInTurns(
      view.work,
      cost.entries,
      top.attributes.of(body, nameStart, nameEnd, isFolder),
    );
    const isIgnored = attributes.get('export-ignore') === true;
    const path = top.path + toByteText(body, nameStart, nameEnd);
    const hash = objectIdAt(body, oidAt);
    if (type === 'tree') {
      const tree = objectOf(view, cursor);
      // At another path, it may not be ignored.
      if (isIgnored) top.hasFiles = true;
      if (isIgnored || empty.has(tree)) continue;
      if (open.length > partsMax) throw new PackError('a stored tree is too deep');
      const inside = await atOnceOrInTurns(view.work, cost.entries, top.attributes.enter(body, nameStart, nameEnd));
      open.push(await openFolder(source, { path: `${path}/`, tree, hash, attributes: inside }));
      continue;
    }
    top.hasFiles = true;
    for (const above of open) {
      if (above.path !== '' && !above.isWritten) yield folder(above.path, above.hash);
      above.isWritten = true;
    }
    if (isIgnored) continue;
    if (type === 'gitlink') {
      yield folder(`${path}/`, hash);
      continue;
    }
    const kind = type === 'symlink' ? 'link' : 'file';
    const object = objectOf(view, cursor);
    const { size, content } = await contentOf(source, object, hash, kind === 'file' ? attributes : undefined);
    yield { kind, isExecutable: type === 'exec', path: prefix + path, hash, size, content };
  }
}

async function openFolder(
  { view, memory }: ArchiveSource,
  { path, tree, hash, attributes }: Pick<OpenFolder, 'path' | 'tree' | 'hash' | 'attributes'>,
): Promise<OpenFolder> {
  let held = view.set.size(tree);
  await memory.add(held);
  // The body is valid until the next read.
  const cursor = new TreeCursor((await view.read(tree)).body.slice());
  const found = await atOnceOrInTurns(view.work, cost.entries, entryOf(cursor.body, attributesName));
  const type = found === undefined ? undefined : formOfMode(found.mode).type;
  if (found === undefined || type === 'tree' || type === 'gitlink') {
    return { path, tree, hash, cursor, attributes, held, isWritten: false, hasFiles: false };
  }
  const file = view.findObject(found.oid, 0);
  if (file < 0) throw new PackError(`a stored tree names ${objectIdAt(found.oid)}, which is not stored`);
  const more = attributesPerByte * view.set.size(file);
  await memory.add(more);
  held += more;
  const { body } = await view.read(file);
  const own = await atOnceOrInTurns(view.work, cost.entries, attributes.withFile(body, path === ''));
  return { path, tree, hash, cursor, attributes: own, held, isWritten: false, hasFiles: false };
}

type FileContent = Pick<ArchiveEntry, 'size' | 'content'>;

/** Reads a file, or a symbolic link, which has no attributes. */
function contentOf(
  source: ArchiveSource,
  object: number,
  hash: ObjectId,
  attributes: Attributes | undefined,
): FileContent | Promise<FileContent> {
  const size = source.view.set.size(object);
  const conversion = attributes === undefined ? undefined : conversionOf(attributes);
  const isFormat = attributes?.get('export-subst') === true;
  if ((conversion !== undefined || isFormat) && size <= convertedMax) {
    return convertedContent(source, object, hash, conversion, isFormat);
  }
  if (size >= streamedMin) return largeContent(source, object);
  const read = source.view.read(object);
  return read instanceof Promise ? read.then(({ body }) => ({ size, content: body })) : { size, content: read.body };
}

async function convertedContent(
  { view, memory, commit }: ArchiveSource,
  object: number,
  hash: ObjectId,
  conversion: Conversion | undefined,
  isFormat: boolean,
): Promise<FileContent> {
  const size = view.set.size(object);
  const held = convertingPerByte * size + (isFormat ? 3 * convertedMax : 0);
  await memory.add(held);
  let { body } = await view.read(object);
  if (view.work.spend(cost.parsed, 2 * size)) await view.work.yield();
  if (conversion !== undefined) body = convertContent(body, hash, conversion);
  if (isFormat) body = await substitute(body, commit, convertedMax, view.work);
  memory.drop(held);
  return { size: body.length, content: body };
}

async function largeContent({ view, account }: ArchiveSource, object: number): Promise<FileContent> {
  const size = view.set.size(object);
  const pack = view.set.packOfObject(object);
  const ordinal = object - pack.objectStart;
  if ((pack.graph.bases[ordinal] as number) < 0) {
    const bytes = await entryBytes(view, pack, ordinal);
    return { size, content: inflatedPieces(view.engine.codec, bytes, size, view.work) };
  }
  await account.expectReading(readingMemory(pack.graph, ordinal));
  return { size, content: (await view.read(object)).body };
}

function objectOf(view: RepositoryView, { body, oidAt }: TreeCursor): number {
  const object = view.findObject(body, oidAt);
  if (object < 0) throw new PackError(`a stored tree names ${objectIdAt(body, oidAt)}, which is not stored`);
  return object;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
