/** Most characters that any name may be allowed to have: it must fit in paths, and in cursors (REPO-093). */
export const nameMax = 4096;
