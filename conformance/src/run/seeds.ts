/** A seed for a run that was given none: 0 to 2^31 - 1. */
export function randomSeed(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] as number) >>> 1;
}

/** The seed of one case, the same whatever else runs: FNV-1a over the seed of the run and the id. 0 to 2^31 - 1. */
export function caseSeed(runSeed: number, id: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${runSeed} ${id}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 1;
}
