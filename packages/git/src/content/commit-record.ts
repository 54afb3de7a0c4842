import { type ObjectId, objectIdAt, objectIdBytes } from '../object/object-id.ts';
import { parseCommit } from '../object/commit.ts';
import { atOnce, type Steps } from '../work/loops.ts';
import { PackError } from '../pack/pack-error.ts';
import { parseIdent, type Ident } from './ident.ts';
import { decodeTexts } from './text-encoding.ts';

/** A person in a commit. */
export interface Person {
  readonly name: string;
  readonly email: string;
}

/** A commit for content reads (REPO-055). Times are seconds since 1970; 0 if the commit has no readable time. */
export interface Commit {
  readonly hash: ObjectId;
  readonly treeHash: ObjectId;
  /** The whole message, without its final LF. */
  readonly message: string;
  readonly author: Person;
  readonly committer: Person;
  /** In Git's order, as in the object, including those that a shallow repository lacks. */
  readonly parents: readonly ObjectId[];
  readonly authoredAt: number;
  readonly committedAt: number;
}

const [lineFeed, greaterThan] = [10, 62];
/** Parents that are formatted in one step, and the cost of each. */
const parentsAStop = 4096;
const bytesAParent = 40;

/**
 * Reads the body of a stored commit.
 *
 * @throws {PackError} if it does not parse; it did when it came in (GIT-146).
 */
export function commitRecord(hash: ObjectId, body: Uint8Array): Commit {
  return atOnce(readingCommit(hash, body));
}

/** Does the same in steps, which yield bytes of commits: it may have any number of parents. */
export function* readingCommit(hash: ObjectId, body: Uint8Array): Steps<Commit> {
  yield body.length;
  const parsed = parseCommit(body);
  if (parsed === undefined) throw new PackError(`stored commit ${hash} does not parse`);
  const { ids, parentCount } = parsed;
  yield body.length / 2;
  const header = commitHeader(body);
  const parents: ObjectId[] = [];
  for (let i = 1; i <= parentCount; i++) {
    parents.push(objectIdAt(ids, i * objectIdBytes));
    if (i % parentsAStop === 0) yield parentsAStop * bytesAParent;
  }
  yield header.message.length;
  const author = parseIdent(header.author);
  const committer = parseIdent(header.committer);
  const { label, message } = header;
  const texts = decodeTexts([message, author.name, author.email, committer.name, committer.email], label);
  const [text = '', authorName = '', authorEmail = '', committerName = '', committerEmail = ''] = texts;
  return {
    hash,
    treeHash: objectIdAt(ids),
    message: text.endsWith('\n') ? text.slice(0, -1) : text,
    author: { name: authorName, email: authorEmail },
    committer: { name: committerName, email: committerEmail },
    parents,
    authoredAt: timeOf(author),
    committedAt: timeOf(committer),
  };
}

/** Returns the author as Git searches it, `Name <address>`: its line up to the last `>`. */
export function authorOf(body: Uint8Array): string {
  const { author, label } = commitHeader(body);
  const [text = ''] = decodeTexts([author.subarray(0, author.lastIndexOf(greaterThan) + 1)], label);
  return text;
}

/** A time beyond JSON integers counts as missing. */
function timeOf({ time }: Ident): number {
  return Number.isSafeInteger(time) ? time : 0;
}

/** Parts of a commit that people wrote. */
export interface CommitHeader {
  /** Bytes after `author `, without the LF. */
  readonly author: Uint8Array;
  readonly committer: Uint8Array;
  /** Value of the first `encoding` line; undefined without one. */
  readonly label: string | undefined;
  readonly message: Uint8Array;
}

/** Parses the header like Git: of several authors the last, of several encodings the first. */
export function commitHeader(body: Uint8Array): CommitHeader {
  let author = body.subarray(0, 0);
  let committer = author;
  let label: string | undefined;
  let at = 0;
  while (at < body.length && body[at] !== lineFeed) {
    const end = lineEndOf(body, at);
    const line = body.subarray(at, end);
    if (hasKey(line, 'author')) author = line.subarray('author '.length);
    else if (hasKey(line, 'committer')) committer = line.subarray('committer '.length);
    else if (label === undefined && hasKey(line, 'encoding')) label = latin1(line.subarray('encoding '.length));
    at = end + 1;
  }
  return { author, committer, label, message: body.subarray(Math.min(at + 1, body.length)) };
}

function lineEndOf(body: Uint8Array, at: number): number {
  const end = body.indexOf(lineFeed, at);
  return end < 0 ? body.length : end;
}

function hasKey(line: Uint8Array, key: string): boolean {
  if (line[key.length] !== 32) return false;
  for (let i = 0; i < key.length; i++) if (line[i] !== key.charCodeAt(i)) return false;
  return true;
}

/** Decodes the label of an encoding, up to the length of any known label. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 64));
}
