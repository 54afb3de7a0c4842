/** Returns the candidate that a misspelt word most likely means, or undefined if none is similar. Ignores case. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.ceil(word.length / 3);
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Counts the insertions, deletions and replacements that turn `from` into `to`, up to `limit`. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (above[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] as number) + 1, (row[j - 1] as number) + 1));
    }
  }
  return row[to.length] as number;
}
