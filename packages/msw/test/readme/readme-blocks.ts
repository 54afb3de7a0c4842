import { readFileSync } from 'node:fs';

/** A fenced block of the README. */
export interface Block {
  readonly language: string;
  /** The file name in its mark, if there is one. */
  readonly file: string | undefined;
  /** True if it runs in a page, and not in Node. */
  readonly isOfPage: boolean;
  readonly code: string;
}

const mark = String.raw`<!-- executed by packages/msw/test/readme/readme\.long\.test\.ts(, in Chromium)?(?:: ([\w.-]+))? -->\n\n`;

export interface Readme {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The number of fences without a mark that says how they are run. */
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
