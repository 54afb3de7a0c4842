import { findEntry, folderParts } from '../content/find-file.ts';
import { HeldMemory } from '../content/held-memory.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { resolveRevision } from '../content/resolve-revision.ts';
import { shownMemory } from '../content/shown-memory.ts';
import { parseCommit } from '../object/commit.ts';
import { objectIdAt, objectIdBytes, type ObjectId } from '../object/object-id.ts';
import { PackError } from '../pack/pack-error.ts';
import { objectsIn } from '../ports/repo-state.ts';
import { replyStream } from '../reply/reply-stream.ts';
import { WorkAbortedError } from '../work/scheduler.ts';
import { archiveEntries, type ArchiveSource } from './archive-entries.ts';
import { compressPieces } from './compress-pieces.ts';
import { CommitFormatter, commitTexts } from './format-commit.ts';
import { refNamesOf } from './ref-names.ts';
import { tarPieces } from './tar-pieces.ts';
import { zipPieces } from './zip-pieces.ts';

/** Formats of archives, as the ends of their names. */
export const archiveFormats = ['tar.gz', 'tar', 'zip'] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

export interface ArchiveRequest {
  /** A revision of REPO-141. */
  readonly revision: string;
  /** Path of the only file or folder to archive, as bytes; empty for the whole tree. */
  readonly path: Uint8Array;
  /** Text before each path, as bytes. */
  readonly prefix: Uint8Array;
}

/**
 * An archive of a commit's tree (REPO-288). It holds memory and packs until its body has been read or cancelled, or {@link
 * ArchiveContent.release} is called: do one of these.
 */
export class ArchiveContent {
  readonly commit: ObjectId;
  /** Committer time in seconds since 1970: all entries have it. */
  readonly time: number;
  readonly #source: ArchiveSource;
  readonly #release: () => void;

  private constructor(commit: ObjectId, time: number, source: ArchiveSource, release: () => void) {
    this.commit = commit;
    this.time = time;
    this.#source = source;
    this.#release = release;
  }

  /**
   * Finds what to archive. Takes over what the reader holds, and releases it if there is nothing: `ref` if the revision
   * does not resolve, `file` if it has no such path.
   *
   * @throws {NotEnoughMemoryError}
   */
  static async open(
    reader: ContentReader,
    { revision, path, prefix }: ArchiveRequest,
  ): Promise<ArchiveContent | 'ref' | 'file'> {
    const { view, visibility, account, memoryMax, release } = reader.handOver();
    try {
      const node = await resolveRevision(view, visibility, revision);
      const parts = folderParts(path);
      const found = node === undefined || parts === undefined ? undefined : await findEntry(view, node, parts);
      if (node === undefined || parts === undefined || found === undefined) {
        release();
        return node === undefined ? 'ref' : 'file';
      }
      const { set } = view;
      const object = set.nodeObjects[node] as number;
      const hash = view.objectId(object);
      await account.planMore(shownMemory(set.size(object)));
      const { body } = await view.read(object);
      const parsed = parseCommit(body);
      if (parsed === undefined) throw new PackError(`stored commit ${hash} does not parse`);
      const { ids, parentCount, time } = parsed;
      const commit = new CommitFormatter({
        hash,
        tree: objectIdAt(ids),
        parents: Array.from({ length: parentCount }, (_, i) => objectIdAt(ids, (1 + i) * objectIdBytes)),
        ...commitTexts(body),
        abbreviation: abbreviationAmong(objectsIn(view.snapshot.packs)),
        refNames: () => refNamesOf(visibility.refs, hash, view.work),
      });
      const memory = new HeldMemory(account, memoryMax);
      const tree = set.nodeTrees[node] as number;
      return new ArchiveContent(hash, time, { view, account, memory, tree, parts, prefix, commit }, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Returns the archive as a stream, which reads on demand and breaks off if that fails. Call it once.
   *
   * @param failed called with the error that broke off the stream, for logs. If it throws, the reader gets that instead.
   */
  body(format: ArchiveFormat, failed: (error: unknown) => void): ReadableStream<Uint8Array> {
    const pieces = this.#pieces(format);
    return replyStream(pieces, {
      keepAlive: undefined,
      released: () => {
        // Closing the stream does not close a generator that it has not started.
        void pieces.return().catch(() => {});
        this.#release();
      },
      failure: (error) => {
        if (!(error instanceof WorkAbortedError)) failed(error);
        return undefined;
      },
    });
  }

  /** Releases everything, for a caller that does not need the body. Idempotent. */
  release(): void {
    this.#release();
  }

  #pieces(format: ArchiveFormat): AsyncGenerator<Uint8Array, void, undefined> {
    const { view, memory } = this.#source;
    const entries = archiveEntries(this.#source);
    if (format === 'zip') return zipPieces(entries, this, { codec: view.engine.codec, memory, work: view.work });
    const tar = tarPieces(entries, this, view.work);
    return format === 'tar' ? tar : compressPieces('gzip', tar, view.engine.codec, view.work);
  }
}

/** Number of digits by which Git abbreviates ids in a repository with that many objects. It looks for no ambiguity. */
function abbreviationAmong(objects: number): number {
  return Math.max(7, Math.ceil(Math.floor(Math.log2(Math.max(1, objects)) + 1) / 2));
}
