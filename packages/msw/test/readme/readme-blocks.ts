import { readFileSync } from 'node:fs';

/** What stands between fences in the README. */
export interface Block {
  readonly language: string;
  /** The file that it is, if its mark names one. */
  readonly file: string | undefined;
  /** Whether it is for a page, and not for Node. */
  readonly isOfPage: boolean;
  readonly code: string;
}

const mark = String.raw`<!-- executed by packages/msw/test/readme/readme\.test\.ts(, in Chromium)?(?:: ([\w.-]+))? -->\n\n`;

export interface Readme {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** How many fences have no mark that says how they are run. */
  readonly unmarked: number;
}

export function readReadme(): Readme {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const marked = [...text.matchAll(new RegExp(`${mark}\`\`\`(\\w+)\n([^]*?)\`\`\`\n`, 'g'))];
  const blocks = marked.map(([, inChromium, file, language = '', code = '']) => ({
    language,
    file,
    isOfPage: inChromium !== undefined,
    code,
  }));
  return { text, blocks, unmarked: (text.match(/^ *(?:```|~~~)/gm) ?? []).length / 2 - blocks.length };
}
