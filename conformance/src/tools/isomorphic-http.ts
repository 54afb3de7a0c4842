import type { fetch } from 'isomorphic-git';
import http from 'isomorphic-git/http/node';

export type HttpClient = Parameters<typeof fetch>[0]['http'];

/** The HTTP client of isomorphic-git, with a connection for each request, as the suite has for its own. */
export const isomorphicHttp: HttpClient = {
  request: async (options) => await http.request({ ...options, headers: { ...options.headers, connection: 'close' } }),
};
