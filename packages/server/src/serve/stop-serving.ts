import type { Sockets } from '../http/sockets.ts';

/**
 * Makes the function that stops a server. It accepts no new connections, lets running requests end within the grace,
 * cuts the others, and calls `release` when no request is running. `interrupt` is called just before requests are cut,
 * to end what they wait for.
 *
 * @returns a function that takes the grace in milliseconds and resolves with the number of cut requests. Further calls
 *   return the same promise, and may shorten the grace.
 */
export function stopServing(
  sockets: Pick<Sockets, 'drain' | 'idle' | 'running' | 'cut'>,
  release: () => Promise<void>,
  interrupt: () => void = () => undefined,
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
    if (cut > 0) interrupt();
    await sockets.cut();
    // Wait without a limit: code that still runs must not use a closed database.
    await sockets.idle();
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
