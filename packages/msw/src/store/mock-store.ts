import { readRepoKey } from '../seed/repo-key.ts';
import type { Seed } from '../seed/seed.ts';
import type { Mocked, SeededStore } from '../service/mocked.ts';
import { named } from '../service/named.ts';
import type { OpenedService } from '../service/open-service.ts';
import { inspect, type Inspection } from './inspect.ts';

/** What a mock holds. */
export interface Store extends SeededStore<Seed> {
  /** Reads what is there. */
  readonly inspect: Inspection;
  /**
   * A new token of a repo, named as in seeds. `ttl` in seconds. Default: `write`, a day.
   *
   * @throws {Error} if there is no such repo, or for what the service refuses.
   */
  createToken(repo: string, options?: { readonly scope?: 'read' | 'write'; readonly ttl?: number }): Promise<string>;
  /** What Git clones a repo by, be it there or not. @throws {Error} for a name that none can have. */
  remote(repo: string): string;
}

export function mockStore({
  account,
  store,
  now,
  held,
}: Pick<Mocked<OpenedService, Seed>, 'store' | 'now' | 'held'> & { readonly account: string }): Store {
  return {
    ...store,
    inspect: inspect(async () => (await held()).ground),
    async createToken(key, { scope = 'write', ttl } = {}) {
      const { hosting } = await held();
      const { namespace, name: repo } = readRepoKey(key);
      const body = { repo, scope, ...(ttl !== undefined && { ttl }) };
      return (await named(key, hosting.tokens.create(account, namespace, body))).plaintext;
    },
    remote(key) {
      const { namespace, name: repo } = readRepoKey(key);
      // REPO-060, REPO-061.
      if (![namespace, repo].every((name) => /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/.test(name))) {
        throw new Error(`No repo can be called ${JSON.stringify(key)}: expected "name" or "namespace/name"`);
      }
      return now().hosting.remotes.fill({ account, namespace, repo });
    },
  };
}
