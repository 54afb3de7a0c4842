import type { Sockets } from '../http/sockets.ts';

/**
 * The way a server stops: no new connections, running requests end within the grace or are cut, then `release` when
 * none is at work any more. `interrupt` ends what requests wait for, just before they are cut.
 *
 * @returns a function that may be called again: everyone gets the same end, and a shorter grace counts. Its promise
 *   tells how many requests were cut.
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
    // However long it takes: what is still at work must not meet a closed database.
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
