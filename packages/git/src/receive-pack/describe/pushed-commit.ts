import { commitRecord, type Commit } from '../../content/commit-record.ts';
import type { ObjectId } from '../../object/object-id.ts';

/** A commit in the event of a push (REPO-196). Its parents are those in the object. */
export interface PushedCommit extends Pick<Commit, 'author' | 'committer' | 'committedAt' | 'parents'> {
  readonly id: ObjectId;
  /** The first {@link messageMax} characters; those that are pairs in UTF-16 count once. */
  readonly message: string;
  readonly messageTruncated: boolean;
}

/** Maximum characters of a message (REPO-196). */
const messageMax = 4_096;
/** Maximum characters of a name or an address, longer than any real one. */
const personMax = 256;
/** Maximum bytes of a message to decode: no encoding needs more than 8 per character. */
const decodedMax = 16 * messageMax;
/** Maximum number of header bytes to search. A larger header has thousands of parents. */
const headerMax = 512 * 1024;

const lineFeed = 10;

/** Returns undefined for a commit whose header is too large. */
export function pushedCommit(id: ObjectId, body: Uint8Array): PushedCommit | undefined {
  const header = headerLength(body);
  if (header === undefined) return undefined;
  const told = body.subarray(0, header + messageLength(body.subarray(header)));
  const { message, author, committer, committedAt, parents } = commitRecord(id, told);
  const shortened = firstCharacters(message, messageMax);
  return {
    id,
    message: shortened,
    messageTruncated: told.length < body.length || shortened.length < message.length,
    author: shortPerson(author),
    committer: shortPerson(committer),
    committedAt,
    parents,
  };
}

/** Number of bytes before the message. */
function headerLength(body: Uint8Array): number | undefined {
  let at = 0;
  while (body[at] !== lineFeed) {
    const end = body.indexOf(lineFeed, at);
    if (end < 0) return body.length <= headerMax ? body.length : undefined;
    if (end > headerMax) return undefined;
    at = end + 1;
  }
  return at + 1;
}

/** A long message is cut at the end of a line, if that leaves enough: a character or a shift may not be cut through. */
function messageLength(message: Uint8Array): number {
  if (message.length <= decodedMax) return message.length;
  const end = message.lastIndexOf(lineFeed, decodedMax);
  return end > decodedMax / 2 ? end + 1 : decodedMax;
}

function shortPerson({ name, email }: Commit['author']): Commit['author'] {
  return { name: firstCharacters(name, personMax), email: firstCharacters(email, personMax) };
}

function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (let count = 0; count < most && end < text.length; count++)
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}
