import type { Serving } from '@packhouse/server';
import type { Io } from '@packhouse/command';

/** Catches SIGTERM and SIGINT while a server starts and runs. Early signals are not lost. */
export interface StopSignals {
  /**
   * Waits for a signal, stops the server, and returns the exit code: 0, or 1 if requests were cut. `grace` is how many
   * seconds the server waits for requests; the log shows it.
   */
  stopped(server: Serving, grace: number): Promise<number>;
  /** Removes the signal handlers. */
  release(): void;
}

/**
 * Signals within this many milliseconds count as one: a terminal signals the whole group, and wrappers pass signals on.
 */
const together = 2_000;

/**
 * Stops the server on signals. The first signal begins the stop, the second reports what the server waits for, and the
 * third cuts it short. So users neither cut a push by accident nor wait against their will.
 */
export function stopOnSignals(io: Pick<Io, 'onSignal' | 'err'>, now: () => number = Date.now): StopSignals {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  let react: (count: number) => void = () => undefined;
  const release = io.onSignal(() => {
    if (now() - last < together) return;
    last = now();
    count += 1;
    react(count);
  });
  return {
    release,
    stopped: async (server, grace) =>
      await new Promise<number>((resolve, reject) => {
        const log = (entry: Readonly<Record<string, unknown>>): void =>
          io.err(`${JSON.stringify({ time: new Date().toISOString(), level: 'info', ...entry })}\n`);
        react = (nth): void => {
          if (nth === 1) {
            const running = server.running();
            const hint = `waits up to ${grace} s for the requests that still run; a second signal tells how many, a third one cuts them (signals within 2 s count as one)`;
            log({ event: 'stopping', running, grace, ...(running === 0 ? {} : { hint }) });
            server.close().then((cut) => {
              log({ event: 'stopped', cut });
              resolve(cut === 0 ? 0 : 1);
            }, reject);
          } else if (nth === 2)
            log({ event: 'waiting', running: server.running(), hint: 'signal once more to cut what still runs' });
          else server.close(0).catch(reject);
        };
        if (count > 0) react(1);
      }),
  };
}
