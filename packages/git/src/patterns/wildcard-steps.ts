import { bracketSet } from './bracket-set.ts';

/**
 * One step of a pattern, which matches one byte of a path. The last step, `end`, matches no byte: the pattern is
 * complete.
 */
export interface PatternStep {
  /**
   * Input of the step: one byte, any byte except a slash, or those in a table of 256. `folders` matches nothing: the
   * next step, which matches a slash after any folders, may be skipped with it. `nothing` is a pattern that Git cannot
   * parse.
   */
  readonly takes: number | 'any' | Uint8Array | 'folders' | 'nothing' | 'end';
  /** Text allowed before it: none, the rest of a name (`*`), or of a path (`**`). */
  readonly after: 'nothing' | 'name' | 'path';
}

const [slash, star, question, open, backslash] = [0x2f, 0x2a, 0x3f, 0x5b, 0x5c];

/**
 * The steps of a pattern, which matches a whole name, or with `ofPath` a whole path: wildmatch of stock git
 * (wildmatch.c). As there, what stands before the first wildcard of a path is compared on its own, so that two stars
 * right behind it count as if they began the pattern.
 */
export function wildcardSteps(pattern: Uint8Array, ofPath: boolean): PatternStep[] {
  const steps: PatternStep[] = [];
  const firstWildcard = pattern.findIndex(
    (byte) => byte === star || byte === question || byte === open || byte === backslash,
  );
  let after: PatternStep['after'] = 'nothing';
  const take = (takes: PatternStep['takes']): void => {
    steps.push({ takes, after });
    after = 'nothing';
  };
  for (let at = 0; at < pattern.length; at++) {
    const byte = pattern[at] as number;
    if (byte === star) {
      const first = at;
      while (pattern[at + 1] === star) at++;
      const begins = first === 0 || first === firstWildcard || pattern[first - 1] === slash;
      const isFolders = ofPath && at > first && begins;
      const next = pattern[at + 1];
      if (isFolders && next === slash) {
        // Two of them in a row mean the same as one.
        if (steps.at(-2)?.takes !== 'folders') {
          take('folders');
          after = 'path';
          take(slash);
        }
        at++;
      } else if (isFolders && (next === undefined || (next === backslash && pattern[at + 2] === slash))) after = 'path';
      else after = 'name';
    } else if (byte === question) take('any');
    else if (byte === open) {
      const found = bracketSet(pattern, at + 1);
      if (found === undefined) return [...steps, { takes: 'nothing', after }];
      // Names have none, and in a path it is never taken.
      found.set[slash] = 0;
      take(found.set);
      at = found.end;
    } else if (byte === backslash) {
      at++;
      take(pattern[at] ?? 'nothing');
    } else take(byte);
  }
  take('end');
  return steps;
}
