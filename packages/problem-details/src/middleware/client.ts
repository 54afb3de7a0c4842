/** Tests if the client is known to have disconnected (ERR-128). Some runtimes report it late or never. */
export const clientIsGone = (request: Request): boolean => request.signal?.aborted ?? false;

/** Cancels an unread request body, so that the runtime does not read it to its end (ERR-130). */
export const cancelBody = (request: Request): void => {
  try {
    if (!request.bodyUsed) request.body?.cancel().catch(() => {});
  } catch {
    // The runtime handles a body that cannot be cancelled.
  }
};
