import createFetchClient, { defaultPathSerializer, type Client as FetchClient } from 'openapi-fetch';
import type { paths } from './schema.ts';
import { send, type SendOptions } from './send.ts';

/** The calls of the OpenAPI document, by method and path. They reject where a reply is no success. */
export type Rest = FetchClient<paths>;

export function createRest(baseUrl: string, options: SendOptions): Rest {
  return createFetchClient<paths>({
    baseUrl,
    fetch: async (request) => await send(request, options),
    // A redirect could send the credential to another server.
    redirect: 'manual',
    pathSerializer(path, parameters) {
      const dots = Object.entries(parameters).find(([, value]) => value === '.' || value === '..');
      if (dots !== undefined)
        throw new TypeError(`${dots[0]} cannot be "${dots[1]}", which has another meaning in a URL.`);
      return defaultPathSerializer(path, parameters);
    },
  });
}
