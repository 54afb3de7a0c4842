/** Seconds: the longest `Retry-After` that is honoured. The public rate has a window of 300 s (TAG-144). */
const longest = 330;
/** Retries of one request. */
const waitsMax = 3;

/** Sends a request, and retries it when the rate allows, within bounds. Returns the last reply. */
export async function waitOut<T extends { readonly status: number; readonly headers: Headers }>(
  send: () => Promise<T>,
  pause: (milliseconds: number) => Promise<void>,
): Promise<T> {
  for (let waits = 0; ; waits++) {
    const reply = await send();
    const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN);
    if (reply.status !== 429 || waits === waitsMax || !(seconds >= 0 && seconds <= longest)) return reply;
    await pause(seconds * 1000);
  }
}
