import type { Random } from './random.ts';

const words =
  'blob branch bundle commit delta entry fetch filter graph hash index ledger merge node object pack prune queue ref remote shallow stage stash tag tree upload verify walk worker yield'.split(
    ' ',
  );

/** Returns one line of prose-like code, without its newline. */
export const line = (random: Random): string =>
  Array.from({ length: 4 + random.below(9) }, () => random.pick(words)).join(random.pick([' ', '_', ' = ', '.'])) +
  random.below(100_000);

/** Returns a new file of 20 to 199 lines. */
export const newLines = (random: Random): string[] =>
  Array.from({ length: 20 + random.below(180) }, () => line(random));

/** Returns the file after a small edit: a few lines replaced, added or removed. */
export const editedLines = (random: Random, lines: readonly string[]): string[] => {
  const edited = [...lines];
  for (let edits = 1 + random.below(4); edits > 0; edits--) {
    const at = random.below(edited.length + 1);
    edited.splice(at, random.below(3), ...Array.from({ length: random.below(4) }, () => line(random)));
  }
  return edited;
};
