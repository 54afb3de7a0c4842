import { bodyTooLarge, Fields, fieldError, fieldErrors, type FieldError, type RawFields } from '@packhouse/base';
import type { FileChange, NewBlobs, WantedCommit } from '@packhouse/git';
import { commitParts, type JsonBody } from './commit-parts.ts';
import type { BodyDigest } from './idempotency.ts';
import { changesMax, readChange, readCommit, type SentChange } from './read-commit.ts';
import { SentContent } from './sent-content.ts';

/** Characters of JSON besides the contents of files (LIM-041). */
const textMax = 16 * 1024 * 1024;
/** Those of one member or change, since `JSON.parse` takes a value at once, and up to 50 bytes for a character. */
const partMax = 1024 * 1024;
/** Memory per such character: the text, and what is made of it, such as the names of a path. */
const memoryACharacter = 8;
/** Memory of a member or a change, besides its text. */
const memoryAMember = 256;

/** Members that are read. Others count for the digest alone (REPO-042). */
const known = new Set(['branch', 'from', 'expected_head', 'message', 'author', 'committer', 'changes', 'allow_empty']);

export interface ReceiveOptions {
  /** Receives the contents of files, and accounts for memory. */
  readonly blobs: NewBlobs;
  /** False if the commit will not be made, so that no content need be stored. */
  readonly stores: boolean;
  readonly digest: BodyDigest | undefined;
  /** Bytes of one file (LIM-051). */
  readonly blobMax: number;
  /** Seconds since 1970, for signatures without a time. */
  readonly now: number;
}

/** A body that was read. Its blobs are stored. */
export interface ReceivedCommit {
  readonly wanted: WantedCommit;
  /** Number of the first change whose content is too large. */
  readonly tooLarge: number | undefined;
}

/**
 * Reads the body of a commit part by part, so that memory depends on its largest content (REPO-251, REPO-252, REPO-308).
 *
 * @param faults of the request, which come before those of the body.
 * @throws {HostingError} with all faults, or with one that ends the reading at once.
 * @throws {NotEnoughMemoryError}
 */
export async function receiveCommit(
  body: RawFields | JsonBody,
  faults: FieldError[],
  { blobs, stores, digest, blobMax, now }: ReceiveOptions,
): Promise<ReceivedCommit> {
  const members: [string, unknown][] = [];
  const changes: FileChange[] = [];
  const faultsOfChanges: FieldError[] = [];
  let hasChanges = false;
  let number = 0;
  let tooLarge: number | undefined;
  let [characters, ofPart] = [0, 0];
  const parts = commitParts(body, {
    // Base64 has four characters for three bytes, and some white space.
    newContent: () => new SentContent(2 * blobMax, (bytes) => blobs.hold(bytes)),
    count(more) {
      characters += more;
      ofPart += more;
      if (ofPart > partMax) throw bodyTooLarge(partMax);
      if (characters > textMax) throw bodyTooLarge(textMax);
      blobs.keep(memoryACharacter * more);
    },
    countMember: () => blobs.keep(memoryAMember),
  });
  for await (const part of parts) {
    ofPart = 0;
    if (part.kind === 'member') {
      digest?.member(part.name, part.value);
      if (known.has(part.name)) members.push([part.name, part.value]);
    } else if (part.kind === 'changes') hasChanges = true;
    else {
      if (number === changesMax) throw tooManyChanges();
      blobs.keep(memoryAMember);
      digest?.change(part.value);
      const change = readChange(Fields.ofItem(part.value, `changes/${number}`, faultsOfChanges), blobMax);
      if (change.op === 'put' && change.content === undefined) tooLarge ??= number;
      const isWanted = stores && tooLarge === undefined && faultsOfChanges.length === 0;
      if (isWanted) changes.push(await storedChange(blobs, change));
      blobs.hold(0);
      number += 1;
    }
  }
  if (hasChanges) digest?.endChanges();
  const fields = new Fields(Object.fromEntries(members), faults);
  const wanted = { ...readCommit(fields, hasChanges, now), changes };
  faults.push(...faultsOfChanges);
  fields.check();
  await blobs.end();
  return { wanted, tooLarge };
}

async function storedChange(blobs: NewBlobs, change: SentChange): Promise<FileChange> {
  if (change.op !== 'put') return change;
  const { content = [], ...others } = change;
  if (typeof content === 'string') return { ...others, content, isNew: false };
  return { ...others, content: await blobs.add(content), isNew: true };
}

function tooManyChanges(): Error {
  const message = `Too big: expected array to have <=${changesMax} items`;
  return fieldErrors([fieldError('invalidInput', 'changes', message)]);
}
