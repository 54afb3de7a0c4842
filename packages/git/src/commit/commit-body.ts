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
  readonly author: Signature;
  readonly committer: Signature;
  /** A line feed is added at its end if it has none. */
  readonly message: string;
}

/** Returns the body of a commit object. */
export function commitBody({ tree, parents, author, committer, message }: CommitFacts): Uint8Array {
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${signatureLine(author)}`,
    `committer ${signatureLine(committer)}`,
    '',
    message.endsWith('\n') ? message : `${message}\n`,
  ];
  return encodeUtf8(lines.join('\n'));
}

function signatureLine({ name, email, time, timezone }: Signature): string {
  return `${name} <${email}> ${time} ${timezone}`;
}
