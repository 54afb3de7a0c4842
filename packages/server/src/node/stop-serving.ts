import type { Server } from 'node:http';
import type { Listener } from './listener.ts';

/** How long work of requests that were cut may take to notice, in milliseconds. */
const lastWord = 2_000;

/**
 * The way a server stops: no new connections, running requests end within the grace, then `release`. Answers a
 * function that may be called again: everyone gets the same end, and a shorter grace counts.
 * Its promise tells how many requests were cut.
 */
export function stopServing(
  server: Server,
  listener: Listener,
  release: () => Promise<void>,
): (grace: number) => Promise<number> {
  let ended: Promise<number> | undefined;
  let deadline = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let giveUp: () => void = () => undefined;
  const outOfTime = new Promise<void>((resolve) => {
    giveUp = resolve;
  });

  const run = async (): Promise<number> => {
    listener.closeConnections();
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    server.closeIdleConnections();
    await Promise.race([listener.idle(), outOfTime]);
    const cut = listener.running();
    clearTimeout(timer);
    // Also takes the connections on which nothing was ever asked, which Node counts as busy.
    server.closeAllConnections();
    await closed;
    if (cut > 0) await Promise.race([listener.idle(), new Promise((resolve) => setTimeout(resolve, lastWord))]);
    await release();
    return cut;
  };
  return (grace) => {
    const wanted = Date.now() + grace;
    if (wanted < deadline) {
      deadline = wanted;
      clearTimeout(timer);
      timer = setTimeout(giveUp, grace);
    }
    ended ??= run();
    return ended;
  };
}
