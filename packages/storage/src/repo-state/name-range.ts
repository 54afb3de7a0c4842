import { compareBytewise } from '@packhouse/base';
import type { NameRange } from './read-refs.ts';

/** A condition on the name of a ref, whose text an SQL adapter passes as a parameter. */
export interface NameBound {
  readonly operator: '>' | '>=' | '<' | '<=';
  readonly text: string;
}

/** Makes bounds instead of LIKE, since names may contain its wildcards, and an index serves a range. */
export function nameBounds({ prefix, after, end }: NameRange): readonly NameBound[] {
  const bounds: NameBound[] = [];
  if (after !== undefined && compareBytewise(after, prefix) >= 0) bounds.push({ operator: '>', text: after });
  else if (prefix !== '') bounds.push({ operator: '>=', text: prefix });
  const behind = firstBehind(prefix);
  if (behind !== undefined) bounds.push({ operator: '<', text: behind });
  if (end !== undefined) bounds.push({ operator: '<=', text: end });
  return bounds;
}

/** Returns the least text that sorts bytewise after all texts with `prefix`, or undefined if no text does. */
export function firstBehind(prefix: string): string | undefined {
  // Loops from the end, since this runs for each new ref, whose name may be long.
  for (let end = prefix.length; end > 0;) {
    const start = isPair(prefix, end - 2) ? end - 2 : end - 1;
    const last = prefix.codePointAt(start) as number;
    // Skip surrogates, which are not characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    if (next <= 0x10ffff) return prefix.slice(0, start) + String.fromCodePoint(next);
    end = start;
  }
  return undefined;
}

/** Tests if a character takes the two units from `at` on. */
function isPair(text: string, at: number): boolean {
  return at >= 0 && (text.codePointAt(at) as number) > 0xffff;
}

/** Returns the length of the common prefix of two names. */
export function sharedLength(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return length;
}
