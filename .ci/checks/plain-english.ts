import { readTracked, trackedFiles } from './tracked-files.ts';

/** Phrases that readers have to read twice (CONTRIBUTING.md, "Words"), each with what to write instead. */
export const unclear: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /\b(?:is|are|was|were|be|been|being) told\b|\btold of\b|\btell(?:s|ing)? of\b/gi,
    'gets, receives, reports, records',
  ],
  [/\b(?:is|are|was|were) none\b|\b(?:that|what|which|who) (?:is|are|was|were) no(?! longer| more)\b/gi, 'is not a'],
  [/\bbut for\b/gi, 'except'],
  [/\banew\b/gi, 'again'],
  [/\b(?:whoever|whatever|however (?:many|much|long|often))\b/gi, 'the client, any, regardless of'],
  [/\b(?:nobody|somebody)\b/gi, 'no client, the caller, the operator'],
  [/\bas (?:it|they) (?:stands?|lies?|came|comes?)\b/gi, 'unchanged, as stored, as received'],
  [/\bof (?:its|their) own\b/gi, 'own, separate'],
  [/\b(?:lies?|lay) in\b|\b(?:stands?|stood) beside\b/gi, 'is in, is next to'],
  [/\bso (?:is|are|was|were|do|does|did)\b(?! not| that)/gi, 'also'],
  [/\/\*\*[\s*]*(?:What|Whether|Who|Of|As|Where)\b/g, 'a verb or a noun at the beginning'],
];

/** One unclear phrase, with the line where it begins. */
export interface Unclear {
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

const string = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|` + '`(?:\\\\[^]|[^`\\\\])*`';
/**
 * Matches a comment, or the title of a test or of a group of tests. Skips strings, since they may look like comments.
 */
const prose = new RegExp(
  String.raw`(\/\*[^]*?\*\/|\/\/[^\n]*)|(?:\b(?:it|describe|test)(?:\.\w+)?|\))\(\s*(${string})|${string}`,
  'g',
);

/** Replaces everything except prose by spaces, so that positions stay the same. */
function proseOf(path: string, text: string): string {
  if (path.endsWith('.md')) return text.replaceAll(/^```[^]*?^```|\]\([^)\s]*\)/gm, blank);
  const isTest = /\.test\.|\/test\/|\/contract\//.test(path);
  let end = 0;
  let kept = '';
  for (const { 0: whole, 1: comment, 2: title, index } of text.matchAll(prose)) {
    const shown = comment ?? (isTest ? title : undefined);
    kept += blank(text.slice(end, index));
    kept += shown === undefined ? blank(whole) : blank(whole.slice(0, whole.length - shown.length)) + shown;
    end = index + whole.length;
  }
  return kept;
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]+/g, ({ length }) => ' '.repeat(length));
}

/** Returns the unclear phrases in the prose of one file: all of a document, or the comments and test titles of code. */
export function unclearIn(path: string, text: string): Unclear[] {
  const kept = proseOf(path, text);
  return unclear.flatMap(([pattern, instead]) =>
    [...kept.matchAll(pattern)].map(({ 0: phrase, index }) => ({
      line: kept.slice(0, index).split('\n').length,
      phrase: phrase.replaceAll(/[\s*/]+/g, ' ').trim(),
      instead,
    })),
  );
}

/** Returns our documents and code. The specification is normative, so its text changes only with its meaning. */
export function filesWithProse(): string[] {
  return trackedFiles().filter(
    (path) =>
      /\.(?:md|ts|mts|mjs|js)$/.test(path) &&
      // The suite writes its reports in the words of cases.
      !/^(?:docs\/specification|conformance\/examples\/reports)\//.test(path),
  );
}

// `node .ci/checks/plain-english.ts packages/git` lists the phrases of all paths with that text.
if (import.meta.main) {
  for (const path of filesWithProse().filter((one) => one.includes(process.argv[2] ?? '')))
    for (const { line, phrase, instead } of unclearIn(path, readTracked(path)))
      console.log(`${path}:${line}: ${phrase} (instead: ${instead})`);
}
