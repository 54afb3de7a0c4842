/** A requirement of the specification: its id, such as `GIT-112`, and its level. */
export interface Requirement {
  readonly id: string;
  readonly level: string;
  readonly file: string;
}

/** Matches one line by the rule of docs/specification/README.md. */
const requirementLine = /^(?:\| ?|- )?\*{0,2}(?:REPO|TOKEN|GIT|BIND|LIM|TAG|ERR|NEG)-\d{3}\b/;
const idAndLevel = /^(?:\| ?|- )?\*{0,2}([A-Z]+-\d{3})\*{0,2}\s*\|?\s*\*{0,2}([A-Z]*)/;

/** Returns all requirements of one file of the specification, in order. A missing level is the empty text. */
export const requirementsIn = (file: string, text: string): Requirement[] =>
  text
    .split('\n')
    .filter((line) => requirementLine.test(line))
    .map((line) => {
      const [, id = '', level = ''] = idAndLevel.exec(line) ?? [];
      return { id, level, file };
    });

/** Returns the requirement ids in a text, such as a test's title or a comment. */
export const idsNamedIn = (text: string): string[] =>
  text.match(/\b(?:REPO|TOKEN|GIT|BIND|LIM|TAG|ERR|NEG)-\d{3}\b/g) ?? [];
