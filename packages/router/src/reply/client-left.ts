/** The status that logs tell of a request whose client did not wait for the reply; no client sees it. */
export const clientLeft = 499;
