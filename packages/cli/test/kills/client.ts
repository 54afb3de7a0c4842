import { apiToken } from '../support/killable-server.ts';
import type { Observed, Reply } from './observe.ts';

/**
 * Creates a client of a server on this machine. `url`: returns its origin, called for each request. `tokens`:
 * plaintexts by repo.
 */
export function clientOf(url: () => string, tokens: Map<string, string>): Observed {
  return {
    tokens,
    remote: (repo) => ({ remote: `${url()}/git/local/default/${repo}.git`, token: tokens.get(repo) ?? '' }),
    async rest(method, path, body): Promise<Reply> {
      const response = await fetch(`${url()}/v4/accounts/local${path}`, {
        method,
        headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const { result = null, result_info: info } = (text === '' ? {} : JSON.parse(text)) as {
        readonly result?: unknown;
        readonly result_info?: { readonly cursor?: string };
      };
      return { status: response.status, result, cursor: info?.cursor };
    },
  };
}
