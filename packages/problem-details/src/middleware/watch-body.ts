import type { PlatformErrors } from '../response/platform-errors.ts';
import { clientIsGone } from './client.ts';
import { describeThrown } from '../thrown/describe-thrown.ts';
import { readAhead } from './read-ahead.ts';
import { isRelayedBreak, relay, type Bytes } from './relay.ts';
import { isOfWorkerd, isWatchable } from './watchable.ts';

/**
 * Watches the body of a response and logs if it breaks off after it has begun (ERR-127). Passes the break on, so that
 * the runtime cuts the reply. A body that ends at once cannot break, so it is returned unchanged. Bodies also stay
 * unchanged without a log function, and if the runtime must interpret them itself.
 */
export const watchBody = async (errors: PlatformErrors, request: Request, response: Response): Promise<Response> => {
  if (!errors.settings.logs || !isWatchable(request, response) || (await isOfWorkerd(response.body))) return response;
  const reader = response.body.getReader();
  const begun = await readAhead(reader);
  // Copy the members: Hono's server for Node would cache the response itself.
  const { status, statusText, headers } = response;
  const init = { status, statusText, headers };
  // Responses of Hono's helpers declare that they are streams, and then must not have a length.
  if (begun.ended && !headers.has('transfer-encoding')) return new Response(joined(begun.chunks), init);
  const broke = (thrown: unknown): void => {
    // A disconnected client is not an error. Of two nested watchers only one logs.
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
