import createFetchClient, { defaultPathSerializer, type Client as FetchClient } from 'openapi-fetch';
import type { paths } from './schema.ts';
import { send, type SendOptions } from './send.ts';

/** The calls of the OpenAPI document, by method and path. They reject where a reply is no success. */
export type Rest = FetchClient<paths>;

/**
 * @param account The base URL of the account.
 * @param service The segment behind it, for all paths but those of tags.
 */
export function createRest(account: string, service: string, options: SendOptions): Rest {
  const home = `${account}/${service}`;
  // A request that is made of another one has its body as a stream, which browsers send over HTTP/2 alone, or lose.
  class AddressedRequest extends Request {
    constructor(url: string, init: RequestInit) {
      super(url.startsWith(`${home}/tags`) ? account + url.slice(home.length) : url, init);
    }
  }
  const rest = createFetchClient<paths>({
    baseUrl: home,
    Request: AddressedRequest as typeof Request,
    fetch: async (request) => await send(request, options),
    // A redirect could send the credential to another server.
    redirect: 'manual',
    pathSerializer(path, parameters) {
      for (const value of Object.values(parameters)) checkSegment(value);
      return defaultPathSerializer(path, parameters);
    },
  });
  rest.use({
    onRequest({ request, options: { baseUrl, parseAs } }) {
      for (const segment of baseUrl.split('/')) checkSegment(segment);
      if (parseAs === 'json' && !request.headers.has('accept')) request.headers.set('accept', 'application/json');
    },
  });
  return rest;
}

/** @throws {RangeError} for a segment that `URL` would take out of an address. */
function checkSegment(segment: unknown): void {
  if (segment === '.' || segment === '..')
    throw new RangeError(`"${segment}" cannot be asked for: it has another meaning in a URL.`);
}
