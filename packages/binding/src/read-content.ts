import { checkArchiveFields, contentTypeOf, type Hosting, type RepoIdentity } from '@packhouse/hosting';
import {
  ArchiveContent,
  parseObjectId,
  readCommitChanges,
  type BlobContent,
  type ContentReader,
  type ObjectId,
} from '@packhouse/git';
import type { Failures } from './failures.ts';
import { listOverhead, serializedSize } from './serialized-size.ts';
import type { ArchiveOptions, FileRequest, LogOptions } from './repo.ts';
import type { Commit, CommitDetails, TreeEntry } from './results.ts';
import { shownChanges } from './shown.ts';
import { given, givenOptions, requireInteger, requireString, requireText } from './given.ts';

/** Dependencies of reading content. */
export interface ContentContext {
  readonly hosting: Pick<Hosting, 'content' | 'settings'>;
  readonly failures: Failures;
  /** Maximum size in bytes of one value (BIND-074). */
  readonly valueMax: number;
  /** Reserves memory for content. The resolved function releases it. */
  readonly admit: (bytes: number) => Promise<() => void>;
}

type Read<Result> = (repo: RepoIdentity) => Promise<Result>;

/** Reads a blob; null if it is missing or of another type (BIND-066). */
export function readBlob(context: ContentContext, hash: unknown): Read<Blob | null> {
  const oid = requireHash(context, hash);
  return reading(context, async (reader) => {
    const found = await reader.blob(oid);
    return found === undefined ? null : blobOf(context, found, async () => '');
  });
}

/** Reads the entries of a tree, in Git's order; null if it is missing (BIND-067). */
export function readTree(context: ContentContext, hash: unknown): Read<TreeEntry[] | null> {
  const oid = requireHash(context, hash);
  return reading(context, async (reader) => {
    const found = await reader.tree(oid);
    if (found === undefined) return nullIfMissing(context, reader, oid);
    const entries: TreeEntry[] = [];
    let size = listOverhead;
    for await (const piece of found.pieces()) {
      size += serializedSize(piece);
      if (size > context.valueMax) throw tooLarge(context);
      entries.push(...piece);
    }
    return entries;
  });
}

/** Reads a commit, with its changes if asked; null if it is missing (BIND-068, BIND-104). */
export function readCommit(context: ContentContext, hash: unknown, opts: unknown): Read<CommitDetails | null> {
  const oid = requireHash(context, hash);
  const { include } = givenOptions(context.failures, opts, 'opts');
  if (include !== undefined && include !== 'changes') {
    throw context.failures.error('INVALID_INPUT', 'Invalid option: expected one of "changes" (opts.include)');
  }
  return reading(context, async (reader) => {
    const commit = await reader.commit(oid);
    if (commit === undefined) return nullIfMissing(context, reader, oid);
    const found = include && (await readCommitChanges(reader, oid));
    return fitting(context, { ...shownCommit(commit), ...(found && { changes: shownChanges(found.changes) }) });
  });
}

/** Reads a file of a revision; null if either does not resolve (BIND-070, BIND-071). */
export function readFile(context: ContentContext, args: FileRequest | undefined): Read<Blob | null> {
  const { ref, path } = givenOptions(context.failures, args, 'args');
  const revision = requireText(context.failures, ref, 'args.ref');
  const bytes = new TextEncoder().encode(requireText(context.failures, path, 'args.path'));
  return reading(context, async (reader) => {
    const found = await reader.file(revision, bytes);
    if (found === undefined) return null;
    return blobOf(context, found, async () => (await contentTypeOf(bytes, found)).replace('; ', ';'));
  });
}

/** Archives a revision; null if there is nothing to archive (BIND-112). */
export function readArchive(
  context: ContentContext,
  ref: unknown,
  opts: ArchiveOptions | undefined,
): Read<ReadableStream<Uint8Array> | null> {
  const { failures } = context;
  const revision = requireText(failures, ref, 'ref');
  const { format, path, prefix } = givenOptions(failures, opts, 'opts');
  const raw = { format: given(format), path: given(path), prefix: given(prefix) };
  const request = checkArchiveFields(revision, raw);
  return reading(context, async (reader) => {
    const found = await ArchiveContent.open(reader, request);
    if (typeof found === 'string') return null;
    return found.body(request.format, (error) => {
      throw failures.told(error);
    });
  });
}

/** Lists commits along first parents; empty if the ref does not resolve (BIND-072). */
export function readLog(context: ContentContext, opts: LogOptions | undefined): Read<Commit[]> {
  const { failures } = context;
  const { log_page_default: limitDefault, log_page_max: limitMax } = context.hosting.settings;
  const { ref = 'HEAD', limit, offset } = givenOptions(failures, opts, 'opts');
  const revision = requireString(failures, ref, 'opts.ref');
  const range = {
    limit: Math.min(requireInteger(failures, limit, 1, limitDefault, 'opts.limit'), limitMax),
    offset: requireInteger(failures, offset, 0, 0, 'opts.offset'),
  };
  return reading(context, async (reader) => {
    const commits = (await reader.log(revision, range)) ?? [];
    return fitting(context, commits.map(shownCommit));
  });
}

function reading<Result>({ hosting }: ContentContext, read: (reader: ContentReader) => Promise<Result>): Read<Result> {
  return (repo) => hosting.content.read(repo, read);
}

/** Checks an object id (BIND-069). */
function requireHash({ failures }: ContentContext, hash: unknown): ObjectId {
  const oid = typeof hash === 'string' ? parseObjectId(hash) : undefined;
  if (oid !== undefined) return oid;
  throw failures.error('INVALID_INPUT', 'Invalid hash: expected a 40-character SHA-1 hex hash.');
}

/** Rejects an object of another type (BIND-067, BIND-068). */
async function nullIfMissing({ failures }: ContentContext, reader: ContentReader, oid: ObjectId): Promise<null> {
  if ((await reader.kindOf(oid)) === undefined) return null;
  throw failures.error('INTERNAL_ERROR', 'An internal error occurred.');
}

export function shownCommit({
  author,
  committer,
  parents,
  ...commit
}: Readonly<Omit<Commit, 'parents'>> & {
  readonly parents: readonly string[];
}): Commit {
  return { ...commit, author: { ...author }, committer: { ...committer }, parents: [...parents] };
}

/** Returns the value unless it is larger than one value may be (BIND-074). */
export function fitting<Value>(context: ContentContext, value: Value): Value {
  if (serializedSize(value) > context.valueMax) throw tooLarge(context);
  return value;
}

function tooLarge({ failures, valueMax }: ContentContext): Error {
  return failures.error('MEMORY_LIMIT', `The content is larger than the ${valueMax} bytes that one value may have.`);
}

/**
 * Size in bytes at which pieces become one part. Some runtimes make a blob of blobs without copying them (BIND-075).
 */
const partSize = 1_048_576;

async function blobOf(context: ContentContext, found: BlobContent, typeOf: () => Promise<string>): Promise<Blob> {
  if (found.size > context.valueMax) {
    await found.release();
    throw tooLarge(context);
  }
  const type = await typeOf();
  let failure: { readonly error: unknown } | undefined;
  const body = await found.body((error) => {
    failure = { error };
  });
  if (body instanceof Uint8Array) return new Blob([body as Uint8Array<ArrayBuffer>], { type });
  let release: () => void;
  try {
    release = await context.admit(found.size);
  } catch (error) {
    await body.cancel();
    throw error;
  }
  const parts: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let held = 0;
  const seal = (): void => {
    parts.push(new Blob(pieces));
    [pieces, held] = [[], 0];
  };
  try {
    for await (const piece of body) {
      pieces.push(piece as Uint8Array<ArrayBuffer>);
      held += piece.length;
      if (held >= partSize) seal();
    }
    seal();
    return new Blob(parts, { type });
  } catch (error) {
    throw failure === undefined ? error : failure.error;
  } finally {
    release();
  }
}
