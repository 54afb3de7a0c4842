import { parseObjectId, zeroObjectId, type ObjectId } from '../../object/object-id.ts';
import { parseRefName, type RefName } from '../../refs/ref-name.ts';
import { MalformedRequestError } from '../request-error.ts';
import { decodeLossy } from '../../bytes/utf8.ts';

/** `<old> <new> <ref>`. */
export interface RefCommand {
  /** Null: the ref must not exist. */
  readonly old: ObjectId | null;
  /** Null: the ref is deleted. */
  readonly new: ObjectId | null;
  /** Absent if the name is invalid (GIT-120, GIT-121): then the reply is `ng <ref> funny refname`. */
  readonly name: RefName | undefined;
  /** The name as sent, which the report repeats. */
  readonly ref: Uint8Array;
}

const commandIds = /^(?:([0-9a-f]{40}) ([0-9a-f]{40}) |[0-9a-f]{64} [0-9a-f]{64} )/;

/**
 * Parses a command. If it has ids of the other object format (GIT-050), only the report uses it.
 *
 * @throws {MalformedRequestError} if it is invalid.
 */
export function parseRefCommand(line: Uint8Array): { readonly command: RefCommand; readonly otherFormat: boolean } {
  const match = commandIds.exec(decodeLossy(line.subarray(0, 130)));
  if (match === null || line.length === match[0].length) throw new MalformedRequestError('expected old, new and ref');
  // A copy: a view would keep a whole chunk of the body alive.
  const ref = new Uint8Array(line.subarray(match[0].length));
  const name = parseRefName(ref);
  // An id of the other object format identifies nothing here. The command is only reported.
  if (match[1] === undefined) return { command: { old: null, new: null, name, ref }, otherFormat: true };
  return { command: { old: idOrNull(match[1]), new: idOrNull(match[2]), name, ref }, otherFormat: false };
}

function idOrNull(text: string | undefined): ObjectId | null {
  return text === zeroObjectId ? null : (text as ObjectId);
}

/**
 * Parses the id of a `shallow` line, given the start of its text and the length of the line.
 *
 * @throws {MalformedRequestError} if it is invalid.
 */
export function parseShallowLine(text: string, length: number): ObjectId {
  const oid = parseObjectId(text.slice('shallow '.length));
  if (oid === undefined || length !== 48) throw new MalformedRequestError('expected an object id after shallow');
  return oid;
}
