import { hasWholeHeader, keyword, lineEnd, readIdLine, startsWith } from './header-lines.ts';
import { kindNumber, type KindNumber, type ObjectKind } from './kind.ts';
import { objectIdBytes } from './object-id.ts';

/** The target of a tag object. */
export interface Tag {
  /** The 20 bytes of the target's id. */
  readonly target: Uint8Array;
  /** The kind that the tag declares for its target. */
  readonly kind: KindNumber;
}

const objectWord = keyword('object ');
const typeWord = keyword('type ');
const tagWord = keyword('tag ');
const kinds = (Object.keys(kindNumber) as ObjectKind[]).map((kind) => ({
  line: keyword(`${kind}\n`),
  kind: kindNumber[kind],
}));

/**
 * Reads a tag body; undefined if it does not parse (GIT-146): object, type of a known kind and name in this order, all
 * lines ended. A tagger may be missing: tags of old history have none.
 */
export function parseTag(body: Uint8Array): Tag | undefined {
  const target = new Uint8Array(objectIdBytes);
  if (!startsWith(body, 0, objectWord) || !readIdLine(body, objectWord.length, target, 0)) return undefined;
  let at = objectWord.length + 2 * objectIdBytes + 1;
  if (!startsWith(body, at, typeWord)) return undefined;
  at += typeWord.length;
  const found = kinds.find(({ line }) => startsWith(body, at, line));
  if (found === undefined) return undefined;
  at += found.line.length;
  if (!startsWith(body, at, tagWord) || lineEnd(body, at) < 0 || !hasWholeHeader(body)) return undefined;
  return { target, kind: found.kind };
}
