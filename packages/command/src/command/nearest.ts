/** Mistakes in a word that are looked for: the effort triples with each. */
const mistakesMax = 3;

/** Returns the candidate that a misspelt word most likely means, or undefined if none is similar. Ignores case. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.min(mistakesMax, Math.ceil(word.length / 3));
  for (let mistakes = 0; mistakes <= limit; mistakes++) {
    const found = candidates.find((one) => isWithin(mistakes, word.toLowerCase(), one.toLowerCase()));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Tests if at most that many insertions, deletions and replacements turn one word into the other. */
function isWithin(mistakes: number, from: string, to: string): boolean {
  let same = 0;
  while (same < from.length && from[same] === to[same]) same += 1;
  const [left, right] = [from.slice(same), to.slice(same)];
  if (left === '' || right === '' || mistakes === 0) return Math.max(left.length, right.length) <= mistakes;
  const pairs = [
    [left.slice(1), right],
    [left, right.slice(1)],
    [left.slice(1), right.slice(1)],
  ] as const;
  return pairs.some(([one, other]) => isWithin(mistakes - 1, one, other));
}
