import { parseNamespaceName, parseRepoName } from '@packhouse/hosting';
import { readRepoKey } from '../seed/repo-key.ts';
import type { Seed } from '../seed/seed.ts';
import type { Mocked, SeededStore } from '../service/mocked.ts';
import { named } from '../values/named.ts';
import type { OpenedService } from '../service/open-service.ts';
import { inspect, type Inspection } from './inspect.ts';

/** The content of a mock. */
export interface Store extends SeededStore<Seed> {
  /** Reads the content. */
  readonly inspect: Inspection;
  /**
   * Creates a token of a repo, named as in seeds. `ttl` is in seconds. Default: scope `write`, one day.
   *
   * @throws {Error} if there is no such repo, or the service refuses the options.
   */
  createToken(repo: string, options?: { readonly scope?: 'read' | 'write'; readonly ttl?: number }): Promise<string>;
  /**
   * Returns the clone URL of a repo, which need not exist.
   *
   * @throws {Error} for a name that no repo can have.
   */
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
    inspect: inspect(account, held),
    async createToken(key, { scope = 'write', ttl } = {}) {
      const { hosting } = await held();
      const { namespace, name: repo } = readRepoKey(key);
      const body = { repo, scope, ...(ttl !== undefined && { ttl }) };
      return (await named(key, hosting.tokens.create(account, namespace, body))).plaintext;
    },
    remote(key) {
      const { namespace, name: repo } = readRepoKey(key);
      const { settings, remotes } = now().hosting;
      const isNamespace = namespace === 'default' || parseNamespaceName(namespace, settings) !== undefined;
      if (!isNamespace || 'broken' in parseRepoName(repo, settings.repo_name_max)) {
        throw new Error(`No repo can be called ${JSON.stringify(key)}: expected "name" or "namespace/name"`);
      }
      return remotes.fill({ account, namespace, repo });
    },
  };
}
