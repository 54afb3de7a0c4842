import type { PlatformErrors } from '../response/platform-errors.ts';
import { clientIsGone } from './client.ts';
import { describeThrown } from '../thrown/describe-thrown.ts';
import { readAhead } from './read-ahead.ts';
import { isRelayedBreak, relay, type Bytes } from './relay.ts';
import { isOfWorkerd, isWatchable } from './watchable.ts';

/**
 * Watches the body of a response, so that the log is told if it breaks off after it has begun (ERR-127). The break is
 * passed on, and the runtime cuts the reply. A body that is at its end at once cannot break and stays as it is; so do
 * all bodies if there is no log function, and those that the runtime itself has to interpret.
 */
export const watchBody = async (errors: PlatformErrors, request: Request, response: Response): Promise<Response> => {
  if (!errors.settings.logs || !isWatchable(request, response) || (await isOfWorkerd(response.body))) return response;
  const reader = response.body.getReader();
  const begun = await readAhead(reader);
  // Not the response itself, which Hono's server for Node would keep at hand, too.
  const { status, statusText, headers } = response;
  const init = { status, statusText, headers };
  // Some say that they are streams, as Hono's helpers do, and then cannot have a length.
  if (begun.ended && !headers.has('transfer-encoding')) return new Response(joined(begun.chunks), init);
  const broke = (thrown: unknown): void => {
    // A client that leaves is no error, and where two watch one tells.
    if (clientIsGone(request) || isRelayedBreak(thrown)) return;
    const { message } = describeThrown(thrown);
    errors.log({ event: 'broken-stream', ray_id: errors.rayIdOf(response), message });
  };
  return new Response(relay(reader, begun, broke), init);
};

const joined = (chunks: readonly Bytes[]): Bytes => {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
};
