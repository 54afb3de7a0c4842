/** Whether the client is known to have gone (ERR-128). Some runtimes tell late, or not at all. */
export const clientIsGone = (request: Request): boolean => request.signal?.aborted ?? false;

/** Gives up a request body that nobody reads, so that it is not read to its end (ERR-130). */
export const cancelBody = (request: Request): void => {
  try {
    if (!request.bodyUsed) request.body?.cancel().catch(() => {});
  } catch {
    // A body that cannot be cancelled is left to the runtime.
  }
};
