/** An app that has tags and nothing else. Run: `node tags-alone.ts PORT`. */

import type { Server } from 'node:http';
import { memoryTagStores, tagging } from '@packhouse/tagging';
import { serveFetch } from './serve-fetch.ts';

/** The account, and the token that may edit its tags. */
export const account = 'shop';
export const token = 'secret-of-the-shop';

/** Makes a server of the tags of one account. */
export function tagsAlone(): Server {
  const tags = tagging({
    store: memoryTagStores(),
    authorize: async ({ headers }) =>
      headers.get('authorization')?.replace(/^bearer +/i, '') === token
        ? { credential: 'shop', grants: [{ account, permission: 'Tag Write' }] }
        : undefined,
    // More than a person needs, so that tests need not wait.
    rate_tags: { requests: 1_000_000, seconds: 1 },
  });
  return serveFetch(async (request) => (await tags(request)) ?? new Response('Not found', { status: 404 }));
}

if (import.meta.main) {
  const [port = '8080'] = process.argv.slice(2);
  tagsAlone().listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
}
