import { columnsOf } from './columns-of.ts';

/** Breaks each line of a text between words to take at most `width` columns. Indented lines are code, and stay whole. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    if (paragraph.startsWith('    ')) return [paragraph];
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1) ?? '';
      if (line === '') lines[lines.length - 1] = word;
      else if (columnsOf(line) + 1 + columnsOf(word) <= width) lines[lines.length - 1] = `${line} ${word}`;
      else lines.push(word);
    }
    return lines;
  });
}
