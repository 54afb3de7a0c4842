import type { Sockets } from './sockets.ts';

/** How long work of requests that were cut may take to notice, in milliseconds. */
const lastWord = 2_000;

/**
 * The way a server stops: no new connections, running requests end within the grace, then `release`. Answers a
 * function that may be called again: everyone gets the same end, and a shorter grace counts.
 * Its promise tells how many requests were cut.
 */
export function stopServing(
  sockets: Pick<Sockets, 'drain' | 'idle' | 'running' | 'cut'>,
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
    sockets.drain();
    await Promise.race([sockets.idle(), outOfTime]);
    const cut = sockets.running();
    clearTimeout(timer);
    await sockets.cut();
    if (cut > 0) await Promise.race([sockets.idle(), new Promise((resolve) => setTimeout(resolve, lastWord))]);
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
