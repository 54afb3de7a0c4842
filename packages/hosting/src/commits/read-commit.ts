import {
  isValidBranchName,
  parseObjectId,
  pathNames,
  type FileChange,
  type ObjectId,
  type RefName,
  type Signature,
  type WantedCommit,
} from '@packhouse/git';
import type { Fields } from '@packhouse/base';
import { decodeBase64 } from './decode-base64.ts';
import { SentContent } from './sent-content.ts';

/** Changes in one commit (LIM-027). */
export const changesMax = 10_000;

const ops = ['put', 'delete', 'move'] as const;
const modes = ['100644', '100755', '120000'] as const;
const encodings = ['utf-8', 'base64'] as const;

/** Rules of texts that are wrong (REPO-310). */
const texts = {
  branch: 'Invalid branch name: expected a name that Git allows, without refs/heads/',
  message: 'Invalid text: expected Unicode without NUL',
  content: 'Invalid text: expected Unicode, or "encoding" "base64"',
  signature: 'Invalid text: expected Unicode without <, >, NUL, line ends and outer white space',
  path: 'Invalid path: expected names between single slashes, none of them ".", ".." or ".git"',
} as const;

/** A change whose content is not stored yet. */
export type SentChange =
  | Exclude<FileChange, { readonly op: 'put' }>
  | (Omit<Extract<FileChange, { readonly op: 'put' }>, 'content' | 'isNew'> & {
      /** The id of a blob, or the pieces of a new one. Undefined: it is too large. */
      readonly content: ObjectId | readonly Uint8Array[] | undefined;
    });

/**
 * Reads the body of a commit without its changes (REPO-251, REPO-253).
 *
 * @param hasChanges True if the body has a list of changes.
 * @param now seconds since 1970, for signatures without a time.
 */
export function readCommit(fields: Fields, hasChanges: boolean, now: number): Omit<WantedCommit, 'changes'> {
  const branch = readBranch(fields, 'branch');
  const from = fields.optionalString('from');
  const expectedHead = !fields.has('expected_head')
    ? undefined
    : fields.value('expected_head') === undefined
      ? null
      : readHash(fields, 'expected_head');
  const message = readMessage(fields);
  const author = readSignature(fields.object('author', true), now);
  const committer = fields.object('committer', false);
  const allowEmpty = fields.boolean('allow_empty', false);
  // Anything but a list is wrong.
  if (!hasChanges && (fields.value('changes') !== undefined || !allowEmpty)) fields.items('changes', changesMax);
  return {
    branch,
    from,
    expectedHead,
    message,
    author,
    committer: committer === undefined ? author : readSignature(committer, now),
    allowEmpty,
  };
}

/** Reads the short name of a branch, for which a full name is often mistaken. Returns its full name. */
export function readBranch(fields: Fields, field: string): RefName {
  const branch = fields.string(field);
  const isShort = isValidBranchName(branch) && !branch.startsWith('refs/');
  if (typeof fields.value(field) === 'string' && !isShort) fields.fail(field, texts.branch);
  return `refs/heads/${branch}` as RefName;
}

/** Reads the message of a commit. */
export function readMessage(fields: Fields): string {
  const message = fields.string('message');
  if (fields.value('message') === '') fields.fail('message', 'Too small: expected string to have >=1 characters');
  // A message ends at NUL.
  if (!message.isWellFormed() || message.includes('\0')) fields.fail('message', texts.message);
  return message;
}

/**
 * Reads an author or committer. Returns an unusable value without `fields`.
 *
 * @param now seconds since 1970, for one without a time.
 */
export function readSignature(fields: Fields | undefined, now: number): Signature {
  if (fields === undefined) return { name: '', email: '', time: now, timezone: '+0000' };
  const words = (field: string): string => {
    const text = fields.string(field);
    // eslint-disable-next-line no-control-regex -- a commit object may not have these
    const isWrong = /[<>\0\n\r]/.test(text) || text.trim() !== text || text === '' || !text.isWellFormed();
    if (isWrong && typeof fields.value(field) === 'string') fields.fail(field, texts.signature);
    return text;
  };
  const name = words('name');
  const email = words('email');
  const time = fields.integer('time', { min: 0 }, now);
  const timezone = fields.optionalString('timezone') ?? '+0000';
  if (!/^[+-](?:0\d|1[0-4])[0-5]\d$/.test(timezone)) fields.fail('timezone', 'Invalid timezone');
  return { name, email, time, timezone };
}

/** Reads one change (REPO-252). A content of more than `max` bytes is too large. */
export function readChange(fields: Fields, max: number): SentChange {
  const op = ops.find((one) => one === fields.value('op'));
  if (op === undefined) fields.fail('op', 'Invalid option: expected one of "put"|"delete"|"move"');
  const path = pathOf(fields, 'path');
  if (op === undefined || op === 'delete') return { op: 'delete', path };
  if (op === 'move') return { op, from: pathOf(fields, 'from'), path };
  const mode = fields.value('mode') === undefined ? undefined : fields.option('mode', modes, modes[0]);
  const hasHash = fields.value('hash') !== undefined;
  if (hasHash && fields.value('content') !== undefined) {
    fields.fail('hash', 'Invalid input: expected one of "content"|"hash"');
  }
  const content = hasHash ? readHash(fields, 'hash') : contentOf(fields, max);
  return { op: 'put', path, content, mode: mode === undefined ? undefined : Number.parseInt(mode, 8) };
}

function contentOf(fields: Fields, max: number): readonly Uint8Array[] | undefined {
  const content = fields.value('content');
  // Callers in the process may pass bytes, and change them later. `slice` of a `Buffer` copies none.
  if (content instanceof Uint8Array) return content.length > max ? undefined : [new Uint8Array(content)];
  if (!(content instanceof SentContent)) {
    fields.string('content');
    return [];
  }
  const encoding = fields.option('encoding', encodings, 'utf-8');
  if (content.isTooLarge) return undefined;
  let pieces: readonly Uint8Array[] | undefined = content.pieces();
  if (encoding === 'base64') {
    pieces = decodeBase64(pieces);
    if (pieces === undefined) fields.fail('content', 'Invalid base64');
  } else if (!content.isWellFormed) fields.fail('content', texts.content);
  const size = pieces?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  return size > max ? undefined : pieces;
}

function pathOf(fields: Fields, field: string): readonly string[] {
  const text = fields.string(field);
  const names = pathNames(text);
  if (names === undefined && typeof fields.value(field) === 'string') fields.fail(field, texts.path);
  return names ?? [];
}

/** Reads the hash of an object. */
export function readHash(fields: Fields, field: string): ObjectId {
  const oid = parseObjectId(fields.string(field));
  if (oid === undefined && typeof fields.value(field) === 'string') fields.fail(field, 'Invalid SHA-1 hash');
  return oid as ObjectId;
}
