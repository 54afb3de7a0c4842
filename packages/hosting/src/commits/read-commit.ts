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
import { Fields, type RawFields } from '@packhouse/base';

/** Changes in one commit (LIM-027). */
export const changesMax = 10_000;
/** Bytes of the body of a commit (LIM-026). */
export const commitBodyMax: number = 16 * 1024 * 1024;

const ops = ['put', 'delete', 'move'] as const;
const modes = ['100644', '100755', '120000'] as const;
const encodings = ['utf-8', 'base64'] as const;
const encoder = new TextEncoder();

/**
 * Reads the body of a commit (REPO-251 to REPO-253).
 *
 * @param now seconds since 1970, for signatures without a time.
 * @throws {HostingError} with all faults.
 */
export function readCommit(body: RawFields, now: number): WantedCommit {
  const fields = new Fields(body);
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
  const hasChanges = fields.value('changes') !== undefined || !allowEmpty;
  const changes = hasChanges ? fields.items('changes', changesMax).map(changeOf) : [];
  const wanted = {
    branch,
    from,
    expectedHead,
    message,
    author,
    committer: committer === undefined ? author : readSignature(committer, now),
    changes,
    allowEmpty,
  };
  fields.check();
  return wanted;
}

/** Reads the short name of a branch, for which a full name is often mistaken. Returns its full name. */
export function readBranch(fields: Fields, field: string): RefName {
  const branch = fields.string(field);
  const isShort = isValidBranchName(branch) && !branch.startsWith('refs/');
  if (typeof fields.value(field) === 'string' && !isShort) fields.fail(field, 'Invalid branch name');
  return `refs/heads/${branch}` as RefName;
}

/** Reads the message of a commit. */
export function readMessage(fields: Fields): string {
  const message = fields.string('message');
  if (fields.value('message') === '') fields.fail('message', 'Too small: expected string to have >=1 characters');
  // A message ends at NUL.
  if (!message.isWellFormed() || message.includes('\0')) fields.fail('message', 'Invalid text');
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
    if (isWrong && typeof fields.value(field) === 'string') fields.fail(field, 'Invalid text');
    return text;
  };
  const name = words('name');
  const email = words('email');
  const time = fields.integer('time', { min: 0 }, now);
  const timezone = fields.optionalString('timezone') ?? '+0000';
  if (!/^[+-](?:0\d|1[0-4])[0-5]\d$/.test(timezone)) fields.fail('timezone', 'Invalid timezone');
  return { name, email, time, timezone };
}

function changeOf(fields: Fields): FileChange {
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
  const content = hasHash ? readHash(fields, 'hash') : contentOf(fields);
  return { op: 'put', path, content, mode: mode === undefined ? undefined : Number.parseInt(mode, 8) };
}

function contentOf(fields: Fields): Uint8Array {
  const bytes = fields.value('content');
  // Callers in the process may pass bytes.
  if (bytes instanceof Uint8Array) return bytes.slice();
  const text = fields.string('content');
  if (fields.option('encoding', encodings, 'utf-8') === 'utf-8') {
    if (!text.isWellFormed()) fields.fail('content', 'Invalid text');
    return encoder.encode(text);
  }
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    fields.fail('content', 'Invalid base64');
    return new Uint8Array(0);
  }
}

function pathOf(fields: Fields, field: string): readonly string[] {
  const text = fields.string(field);
  const names = pathNames(text);
  if (names === undefined && typeof fields.value(field) === 'string') fields.fail(field, 'Invalid path');
  return names ?? [];
}

/** Reads the hash of an object. */
export function readHash(fields: Fields, field: string): ObjectId {
  const oid = parseObjectId(fields.string(field));
  if (oid === undefined && typeof fields.value(field) === 'string') fields.fail(field, 'Invalid SHA-1 hash');
  return oid as ObjectId;
}
