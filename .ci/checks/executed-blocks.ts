/** Returns the shell blocks of a Markdown text that are marked as run by a test. */
export function executedBlocks(text: string): string[] {
  return [...text.matchAll(/<!-- executed by [^>]* -->\s*```sh\n([^]*?)```/g)].map((match) => match[1] ?? '');
}
