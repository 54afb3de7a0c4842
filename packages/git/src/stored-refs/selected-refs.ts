import { prefixTest, rootPrefixes } from '../refs/ref-prefixes.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { compareNames, nameAt, type RefSlice } from '../refs/packed-refs.ts';
import type { VisibleRefs } from './visible-refs.ts';

/** Maximum number of prefixes that are looked up one by one. */
const lookUpsMax = 64;

/** The refs whose names start with one of these prefixes, in order; without prefixes all of them (GIT-091). */
export async function* selectedRefs(
  visible: VisibleRefs,
  prefixes: readonly string[],
): AsyncGenerator<RefSlice, void, undefined> {
  const roots = rootPrefixes(prefixes);
  if (roots.length <= lookUpsMax) {
    for (const root of bytewise(roots)) if (mayBegin(root)) yield* visible.below(root);
    return;
  }
  const admits = prefixTest(roots);
  for await (const slice of visible.below('')) yield* admittedParts(slice, admits);
}

function bytewise(names: readonly string[]): readonly string[] {
  const all = names.map((name) => ({ name, bytes: encodeUtf8(name) }));
  return all.sort((a, b) => compareNames(a.bytes, b.bytes)).map(({ name }) => name);
}

/** Tests if the name of a ref may begin like this. */
function mayBegin(prefix: string): boolean {
  return 'refs/'.startsWith(prefix) || prefix.startsWith('refs/');
}

function* admittedParts({ refs, from, to }: RefSlice, admits: (name: string) => boolean): Generator<RefSlice> {
  let start = from;
  for (let i = from; i < to; i++) {
    if (admits(nameAt(refs, i))) continue;
    if (start < i) yield { refs, from: start, to: i };
    start = i + 1;
  }
  if (start < to) yield { refs, from: start, to };
}
