import type { Block, Page } from './page.ts';

/** Renders a page as Markdown. */
export function pageMarkdown({ title, intro, sections }: Page): string {
  const parts = [
    `# ${title}`,
    ...intro.map(blockMarkdown),
    ...sections.flatMap(({ heading, blocks }) => [`## ${heading}`, ...blocks.map(blockMarkdown)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function blockMarkdown(block: Block): string {
  if (typeof block === 'string') return block;
  if ('code' in block) return `\`\`\`sh\n${block.code}\n\`\`\``;
  return block.items.map((item) => `- ${item}`).join('\n');
}
