import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { resolveHead, type Head } from '../refs/head.ts';
import { compareNames, recordsOf, sliceBelow, sliceOfName, type RefSlice } from '../refs/packed-refs.ts';
import { parseRefName, type RefName } from '../refs/ref-name.ts';
import type { RepoRefs } from './repo-refs.ts';

/**
 * Tests if a ref is hidden (GIT-129): a prefix of the `hidden_refs` setting is the whole name, or ends at the end of a
 * component. A slash at the end of a prefix has no effect.
 */
export function isHidden(name: string, prefixes: readonly string[]): boolean {
  for (const prefix of prefixes) {
    const length = prefix.endsWith('/') ? prefix.length - 1 : prefix.length;
    if (!name.startsWith(prefix.slice(0, length))) continue;
    if (name.length === length || name[length] === '/') return true;
  }
  return false;
}

/** The visible refs of one snapshot. Methods throw the errors of {@link RepoRefs}. */
export class VisibleRefs {
  readonly #refs: RepoRefs;
  readonly #defaultBranch: string;
  readonly #hiddenPrefixes: readonly string[];
  #head: Head | undefined;
  #hidesAny: boolean | undefined;

  constructor(refs: RepoRefs, { defaultBranch }: RepoSnapshot, hiddenPrefixes: readonly string[]) {
    this.#refs = refs;
    this.#defaultBranch = defaultBranch;
    this.#hiddenPrefixes = hiddenPrefixes;
  }

  /** Returns the existing refs among these names, by name. Ignores invalid names. */
  async find(names: Iterable<string>): Promise<ReadonlyMap<string, RefRecord>> {
    const asked = [...names].flatMap((name) => parseRefName(name) ?? []);
    return this.#refs.find(asked.filter((name) => !isHidden(name, this.#hiddenPrefixes)));
  }

  /** Yields the refs whose names start with `prefix`, sorted. */
  async *below(prefix: string): AsyncGenerator<RefSlice, void, undefined> {
    for await (const slice of this.#refs.below(prefix)) yield* visibleParts(slice, this.#hiddenPrefixes);
  }

  /** The first refs after `after` whose names start with `prefix`, at most `limit`. */
  async page(prefix: string, after: RefName | undefined, limit: number): Promise<readonly RefRecord[]> {
    const found: RefRecord[] = [];
    for (let from = after; ;) {
      const { chunks, next } = await this.#refs.page(prefix, from, limit - found.length);
      for (const refs of chunks) {
        for (const ref of recordsOf({ refs, from: 0, to: refs.count })) {
          if (!isHidden(ref.name, this.#hiddenPrefixes)) found.push(ref);
        }
      }
      // At an older version, a page may hold more than its limit: refs that were deleted since.
      if (next === undefined || found.length >= limit) return found.slice(0, limit);
      const hiding = this.#hiddenPrefixes.find((hidden) => next.startsWith(`${withoutSlash(hidden)}/`));
      // One step passes the refs below a hidden prefix, except names that go on behind this last of all characters.
      const past = hiding === undefined ? next : (`${withoutSlash(hiding)}/\u{10ffff}` as RefName);
      from = compareNames(encodeUtf8(past), encodeUtf8(next)) > 0 ? past : next;
    }
  }

  /** Yields the hidden refs in any order, perhaps some repeatedly. */
  async *hidden(): AsyncGenerator<RefSlice, void, undefined> {
    for (const prefix of this.#hiddenPrefixes) {
      for await (const slice of this.#refs.below(withoutSlash(prefix))) yield* hiddenParts(slice, prefix);
    }
  }

  /** Tests if any ref is hidden. */
  async hidesAny(): Promise<boolean> {
    return (this.#hidesAny ??= await this.#looksForHidden());
  }

  async head(): Promise<Head> {
    return (this.#head ??= await this.#resolveHead());
  }

  async #looksForHidden(): Promise<boolean> {
    for (const prefix of this.#hiddenPrefixes) {
      const name = withoutSlash(prefix) as RefName;
      if ((await this.#refs.find([name])).size > 0 || (await this.#refs.any(`${name}/`))) return true;
    }
    return false;
  }

  /** Resolves HEAD (GIT-130), reading no more branches than necessary. */
  async #resolveHead(): Promise<Head> {
    const found = await this.find([`refs/heads/${this.#defaultBranch}`]);
    const branches = [...found.values()];
    if (branches.length === 0) {
      for await (const slice of this.below('refs/heads/')) {
        const { refs, from, to } = slice;
        branches.push(...recordsOf({ refs, from, to: Math.min(to, from + 2) }));
        if (branches.length > 1) break;
      }
    }
    return resolveHead(branches, this.#defaultBranch);
  }
}

/** Returns the visible parts of a slice, in order. */
function visibleParts({ refs, from, to }: RefSlice, prefixes: readonly string[]): readonly RefSlice[] {
  const hidden = prefixes.flatMap((prefix) => hiddenParts({ refs, from, to }, prefix)).sort((a, b) => a.from - b.from);
  const parts: RefSlice[] = [];
  let start = from;
  for (const part of hidden) {
    if (start < part.from) parts.push({ refs, from: start, to: part.from });
    start = Math.max(start, part.to);
  }
  if (start < to) parts.push({ refs, from: start, to });
  return parts;
}

/** Returns the parts of a slice that one prefix hides: the ref with that name, and those below it. */
function hiddenParts({ refs, from, to }: RefSlice, prefix: string): readonly RefSlice[] {
  const name = encodeUtf8(withoutSlash(prefix));
  const own = sliceOfName(refs, name);
  return [own, sliceBelow(refs, encodeUtf8(`${withoutSlash(prefix)}/`))]
    .map((slice) => ({ refs, from: Math.max(from, slice.from), to: Math.min(to, slice.to) }))
    .filter((slice) => slice.from < slice.to);
}

function withoutSlash(prefix: string): string {
  return prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
}
