/** Seconds: the longest `Retry-After` that is waited for. The public rate has a window of 300 s (TAG-144). */
const longest = 330;
/** How often one request is sent again. */
const waitsMax = 3;

/** Sends again when the rate lets it through, as often and as long as is sensible; answers the last reply. */
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
