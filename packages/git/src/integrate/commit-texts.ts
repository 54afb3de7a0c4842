import { concatenate } from '../bytes/concatenate.ts';
import { decodeLossy, encodeUtf8 } from '../bytes/utf8.ts';
import { commitHeader } from '../content/commit-record.ts';
import { decodeLabelled } from '../content/text-encoding.ts';
import type { ObjectId } from '../object/object-id.ts';

/** The texts of a commit as a copy of it has them. */
export interface CommitTexts {
  /** The author with the time, as in a commit. */
  readonly author: Uint8Array;
  /** Begins with its subject. */
  readonly message: Uint8Array;
}

const lineFeed = 10;

/** Reads the texts of a commit as `git cherry-pick` does: as UTF-8 if the encoding is known, and as bytes otherwise. */
export function commitTexts(body: Uint8Array): CommitTexts {
  const { author, message, label } = commitHeader(body);
  const subject = message.subarray(subjectStart(message));
  const [authorText, text] = [author, subject].map((bytes) => decodeLabelled(bytes, label));
  if (authorText === undefined || text === undefined) return { author: author.slice(), message: subject.slice() };
  return { author: encodeUtf8(authorText), message: encodeUtf8(text) };
}

/** Returns the subject and the hash of a commit as `git cherry-pick` labels a side. */
export function commitLabel(oid: ObjectId, { message }: CommitTexts): string {
  return `${oid.slice(0, 7)} (${decodeLossy(subjectOf(message))})`;
}

/**
 * Returns the message of `git revert`.
 *
 * @param mainline the parent that a merge commit was compared with; null for another commit.
 */
export function revertMessage(oid: ObjectId, { message }: CommitTexts, mainline: ObjectId | null): Uint8Array {
  const rest = mainline === null ? '' : `, reversing\nchanges made to ${mainline}`;
  const parts = [encodeUtf8('Revert "'), subjectOf(message), encodeUtf8(`"\n\nThis reverts commit ${oid}${rest}.\n`)];
  return concatenate(parts);
}

function subjectOf(message: Uint8Array): Uint8Array {
  const end = message.indexOf(lineFeed);
  return end < 0 ? message : message.subarray(0, end);
}

/** Returns the start of the first line that is not blank. */
function subjectStart(message: Uint8Array): number {
  let start = 0;
  for (let at = 0; at < message.length; at++) {
    const byte = message[at] as number;
    if (byte === lineFeed) start = at + 1;
    else if (byte !== 32 && byte !== 9 && byte !== 13) return start;
  }
  return message.length;
}
