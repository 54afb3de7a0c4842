/** A requirement as the specification states it: id such as `GIT-112`, and level. */
export interface Requirement {
  readonly id: string;
  readonly level: string;
  readonly file: string;
}

/** The extraction that docs/specification/README.md prescribes, for one line. */
const requirementLine = /^(?:\| ?|- )?\*{0,2}(?:REPO|TOKEN|GIT|BIND|LIM|TAG|ERR|NEG)-\d{3}\b/;
const idAndLevel = /^(?:\| ?|- )?\*{0,2}([A-Z]+-\d{3})\*{0,2}\s*\|?\s*\*{0,2}([A-Z]*)/;

/** All requirements of one file of the specification, in the order it lists them. A missing level is the empty text. */
export const requirementsIn = (file: string, text: string): Requirement[] =>
  text
    .split('\n')
    .filter((line) => requirementLine.test(line))
    .map((line) => {
      const [, id = '', level = ''] = idAndLevel.exec(line) ?? [];
      return { id, level, file };
    });

/** Requirement ids named anywhere in a text, such as a test's name or a comment. */
export const idsNamedIn = (text: string): string[] =>
  text.match(/\b(?:REPO|TOKEN|GIT|BIND|LIM|TAG|ERR|NEG)-\d{3}\b/g) ?? [];
