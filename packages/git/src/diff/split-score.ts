import type { Lines } from './line-table.ts';

/** Indentations from here on are equal. */
const indentMax = 200;
/** Number of blank lines that are looked at. */
const blankLinesMax = 20;

/** Indentation of a line that does not exist, or is blank. */
const none = -1;

/** The weights that Git found by experiment (`diff.indentHeuristic`). Higher is worse. */
const weights = {
  atStart: 1,
  atEnd: 21,
  blank: -30,
  blankBehind: 6,
  indented: -4,
  indentedAfterBlank: 10,
  outdented: 24,
  outdentedAfterBlank: 17,
  dedented: 23,
  dedentedAfterBlank: 17,
  indent: 60,
};

/** How bad it is to begin or end a change at some lines. */
export interface SplitScore {
  readonly indent: number;
  readonly penalty: number;
}

/** Returns how bad two splits are together: before a change and behind it. */
export function scoreOf(lines: Lines, start: number, end: number): SplitScore {
  const [a, b] = [splitScore(lines, start), splitScore(lines, end)];
  return { indent: a.indent + b.indent, penalty: a.penalty + b.penalty };
}

/** Compares scores: negative if `a` is better. */
export function compareScores(a: SplitScore, b: SplitScore): number {
  return weights.indent * Math.sign(a.indent - b.indent) + (a.penalty - b.penalty);
}

/** Returns how bad a split before a line is. */
function splitScore(lines: Lines, at: number): SplitScore {
  const own = at < lines.count ? indentOf(lines, at) : none;
  const before = neighbour(lines, at, -1);
  const behind = neighbour(lines, at, 1);
  const blankBehind = own === none ? 1 + behind.blank : 0;
  const blanks = before.blank + blankBehind;
  let penalty = weights.blank * blanks + weights.blankBehind * blankBehind;
  if (before.indent === none && before.blank === 0) penalty += weights.atStart;
  if (at >= lines.count) penalty += weights.atEnd;
  const indent = own === none ? behind.indent : own;
  if (indent === none || before.indent === none || indent === before.indent) return { indent, penalty };
  if (indent > before.indent) penalty += blanks > 0 ? weights.indentedAfterBlank : weights.indented;
  // The end of a block, or the start of one if the next line is indented more.
  else if (behind.indent !== none && behind.indent > indent)
    penalty += blanks > 0 ? weights.outdentedAfterBlank : weights.outdented;
  else penalty += blanks > 0 ? weights.dedentedAfterBlank : weights.dedented;
  return { indent, penalty };
}

interface Neighbour {
  /** Indentation of the next line that is not blank. */
  readonly indent: number;
  /** Number of blank lines in between. */
  readonly blank: number;
}

function neighbour(lines: Lines, at: number, step: -1 | 1): Neighbour {
  let blank = 0;
  for (let i = at + step; i >= 0 && i < lines.count; i += step) {
    const indent = indentOf(lines, i);
    if (indent !== none) return { indent, blank };
    if (++blank === blankLinesMax) return { indent: 0, blank };
  }
  return { indent: none, blank };
}

const [tab, newline, carriageReturn, space] = [9, 10, 13, 32];

/** Returns the columns of white space before a line; -1 for a blank one. */
function indentOf({ content, starts }: Lines, line: number): number {
  let columns = 0;
  const end = starts[line + 1] as number;
  for (let at = starts[line] as number; at < end; at++) {
    const byte = content[at];
    if (byte === space) columns++;
    else if (byte === tab) columns += 8 - (columns % 8);
    else if (byte !== newline && byte !== carriageReturn) return columns;
    if (columns >= indentMax) return indentMax;
  }
  return none;
}
