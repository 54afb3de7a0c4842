import type { ObjectId } from '../object/object-id.ts';
import { gitlinkMode } from '../object/tree.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import type { Version } from './change.ts';
import type { ObjectSource } from './object-source.ts';

/** Number of bytes at the start of a file in which Git looks for a NUL byte. */
const binaryPrefix = 8000;

/** Maximum size of a file that is compared by its content: `core.bigFileThreshold` of Git. */
export const comparedFileMax: number = 32 * 1024 * 1024;

/** Tests if Git counts this content as binary. */
export function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, binaryPrefix).includes(0);
}

/** Returns the size of a version's content. */
export function sizeOf(objects: ObjectSource, { mode, oid }: Version): number {
  return mode === gitlinkMode ? linkText(oid).length : objects.sizeOf(oid);
}

/**
 * Reads the content of a version as Git compares it: a symbolic link is its target, and a submodule a line with its
 * commit. Valid until the next read.
 *
 * @throws {NotEnoughMemoryError}
 */
export async function contentOf(objects: ObjectSource, { mode, oid }: Version): Promise<Uint8Array> {
  return mode === gitlinkMode ? encodeUtf8(linkText(oid)) : (await objects.read(oid)).body;
}

function linkText(oid: ObjectId): string {
  return `Subproject commit ${oid}\n`;
}
