/**
 * Settings with which what no ref reaches is forgotten at once and collected soon, in repos that hold little, and
 * nobody waits long in silence. One deployment for all the cases that need them.
 */
export const soonCollected = { gc_grace: 1, stale_want_grace: 0, repo_storage_max: 400_000, keep_alive: 1 } as const;
