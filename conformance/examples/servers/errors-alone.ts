/** An app that shows platform errors and nothing else. Run: `node errors-alone.ts PORT`. */

import type { Server } from 'node:http';
import { builtInEntries, PlatformError, withPlatformErrors } from '@packhouse/problem-details';
import { serveFetch } from './serve-fetch.ts';

/** Makes a server that throws each platform error at a separate route. */
export function errorsAlone(): Server {
  return serveFetch(
    withPlatformErrors((request) => {
      const [, code] = /^\/cdn-cgi\/error\/(\d+)\/?$/.exec(decoded(new URL(request.url).pathname)) ?? [];
      const entry = builtInEntries.find((one) => String(one.code) === code);
      if (entry === undefined) return new Response('Not found', { status: 404 });
      if (!/^(?:GET|HEAD)$/.test(request.method)) return new Response('Method not allowed', { status: 405 });
      throw new PlatformError(entry.code);
    }),
  );
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

if (import.meta.main) {
  const [port = '8080'] = process.argv.slice(2);
  errorsAlone().listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
}
