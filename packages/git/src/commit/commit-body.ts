import { concatenate } from '../bytes/concatenate.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import type { ObjectId } from '../object/object-id.ts';

/** An author or committer, with a time. */
export interface Signature {
  /** Without `<`, `>`, NUL and line ends, and not empty. */
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** Such as `+0200`. */
  readonly timezone: string;
}

/** Facts of a commit to make. */
export interface CommitFacts {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  /** Bytes: the line of another commit, as stored behind `author `. */
  readonly author: Signature | Uint8Array;
  readonly committer: Signature;
  /** A line feed is added at the end of a text that has none. Bytes stay as they are. */
  readonly message: string | Uint8Array;
}

/** Returns the body of a commit object. */
export function commitBody({ tree, parents, author, committer, message }: CommitFacts): Uint8Array {
  const references = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
  const text = typeof message !== 'string' || message.endsWith('\n') ? message : `${message}\n`;
  const parts = [
    `${references.join('\n')}\nauthor `,
    author instanceof Uint8Array ? author : signatureLine(author),
    `\ncommitter ${signatureLine(committer)}\n\n`,
    text,
  ];
  return concatenate(parts.map((part) => (typeof part === 'string' ? encodeUtf8(part) : part)));
}

function signatureLine({ name, email, time, timezone }: Signature): string {
  return `${name} <${email}> ${time} ${timezone}`;
}
