import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { fetch } from 'isomorphic-git';
import http from 'isomorphic-git/http/node';

export type HttpClient = Parameters<typeof fetch>[0]['http'];

// A header alone would not do: Node keeps the connection all the same where the reply does not say that it ends.
const agent = new Agent({ keepAlive: false });
const secureAgent = new SecureAgent({ keepAlive: false });

/** The HTTP client of isomorphic-git, with a connection for each request, as the suite has for its own. */
export const isomorphicHttp: HttpClient = {
  request: async (options) =>
    await http.request({ ...options, agent: options.url.startsWith('https:') ? secureAgent : agent }),
};
