import { wildcardSteps, type PatternStep } from './wildcard-steps.ts';

/** One pattern of paths, in the form of gitignore(5). */
export interface PathPattern {
  readonly steps: readonly PatternStep[];
  /** True if it matches whole paths, false if only last names. */
  readonly ofPath: boolean;
  readonly foldersOnly: boolean;
}

const slash = 0x2f;

/** Reads a pattern, without the mark of a negative one. */
export function pathPattern(text: Uint8Array): PathPattern {
  const foldersOnly = text.at(-1) === slash;
  let pattern = foldersOnly ? text.subarray(0, -1) : text;
  const ofPath = pattern.includes(slash);
  if (ofPath && pattern[0] === slash) pattern = pattern.subarray(1);
  return { steps: wildcardSteps(pattern, ofPath), ofPath, foldersOnly };
}
