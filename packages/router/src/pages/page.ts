/** A page for people and programs. HTML and Markdown have the same content. */
export interface Page {
  readonly title: string;
  /** A number that the HTML page shows large, next to `words`, in place of `title`. */
  readonly number?: { readonly value: number; readonly words: string };
  readonly intro: readonly Block[];
  readonly sections: readonly Section[];
  /** The content for programs, as JSON. */
  readonly data: object;
}

/** A part under a heading. `#id` in the URL leads to it. */
export interface Section {
  readonly id?: string;
  readonly heading: string;
  readonly blocks: readonly Block[];
}

/**
 * A paragraph, a list or a block of code. Paragraphs and items may have inline Markdown: code, `**strong**` and links.
 */
export type Block = string | { readonly items: readonly string[] } | { readonly code: string };

/** Returns the page with the mount path of the service put before each link that begins with `/` (REPO-216). */
export function under(mountPath: string, page: Page): Page {
  if (mountPath === '') return page;
  const text = (line: string): string => line.replaceAll('](/', `](${mountPath}/`);
  const block = (one: Block): Block =>
    typeof one === 'string' ? text(one) : 'items' in one ? { items: one.items.map(text) } : one;
  return {
    ...page,
    intro: page.intro.map(block),
    sections: page.sections.map((section) => ({ ...section, blocks: section.blocks.map(block) })),
  };
}
