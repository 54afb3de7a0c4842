/** Settings with which what no ref reaches is forgotten at once and collected soon, in repos that hold little. */
export const soonCollected = { gc_grace: 1, stale_want_grace: 0, repo_storage_max: 60_000 } as const;
