import { createPlatformErrors } from '@packhouse/problem-details';
import { cloudflare, neutral, randomIds, systemClock, type Clock, type Ids, type Settings } from '@packhouse/hosting';
import type { Log } from '@packhouse/router';
import type { HttpHandler } from 'msw';
import { answerWithFaults } from './faults/answer-with-faults.ts';
import { FaultList, type Faults } from './faults/fault-list.ts';
import type { ChangedPageFault, Fault } from './faults/fault.ts';
import { intercept } from './handlers/intercept.ts';
import { withOwnBody } from './handlers/own-body.ts';
import { readOrigin } from './handlers/origin.ts';
import { areaPaths, remotePaths, wholeOrigin } from './handlers/paths.ts';
import { readRepoKey } from './seed/repo-key.ts';
import { plant } from './seed/plant.ts';
import type { Seed } from './seed/seed.ts';
import { apiTokens, servedAccounts, type ApiToken } from './service/api-tokens.ts';
import { openService } from './service/open-service.ts';
import { unknownTokenOf } from './service/unknown-token.ts';
import { Beginning } from './store/beginning.ts';
import { inspect, type Inspection } from './store/inspect.ts';

/** What a mock is and begins with. Only `baseUrl` is needed. */
export interface MockOptions {
  /** The origin it answers for, such as `https://api.example.test`. */
  readonly baseUrl: string;
  /** The names on the wire: those of the public service, or none of a platform's. Default `neutral`. */
  readonly dialect?: 'neutral' | 'cloudflare';
  /** Default `local`. */
  readonly account?: string;
  /** Ids of zones of the account, whose resources can have tags. Default: none. */
  readonly zones?: readonly string[];
  /** Default: every API token is known and may do everything in the account. */
  readonly apiTokens?: readonly ApiToken[];
  readonly seed?: Seed;
  readonly faults?: readonly Fault<Seed>[];
  /** Default: the time of the machine. */
  readonly clock?: Clock;
  /** Makes the source of ids and secrets, now and at each reset. Default: random ones. */
  readonly createIds?: () => Ids;
  /** Settings and limits, by their names in the specification, such as `rate_rest`. */
  readonly settings?: Partial<Omit<Settings, 'accounts' | 'public_url' | 'zones'>>;
  /**
   * Whether the service answers each path of its origin, as one that runs does (REPO-029). Default: paths that belong to
   * no area are left to other handlers.
   */
  readonly wholeOrigin?: boolean;
  /** Default: nobody listens. */
  readonly log?: Log;
}

/** The service in memory, behind request handlers. */
export interface Mock {
  /** All areas: for `setupServer(...mock.handlers)` and `setupWorker(...mock.handlers)`. */
  readonly handlers: readonly HttpHandler[];
  /** Namespaces, repos, their content and tokens. */
  readonly rest: readonly HttpHandler[];
  readonly tagging: readonly HttpHandler[];
  /** Platform errors by `/cdn-cgi/error/{code}`. */
  readonly errors: readonly HttpHandler[];
  /** The remotes of all repos. */
  readonly git: readonly HttpHandler[];
  /** What the paths of the REST API follow, such as `https://api.example.test/v4/accounts/local/repos`. */
  readonly apiUrl: string;
  readonly store: Store;
  readonly faults: Faults<Seed>;
}

/** What a mock holds. */
export interface Store {
  /** Reads what is there. */
  readonly inspect: Inspection;
  /** Resolves when the first seed is there, which requests wait for. @throws {SeedError} */
  ready(): Promise<void>;
  /** Puts more beside what is there. @throws {SeedError} for what the service refuses; what came before it stays. */
  seed(seed: Seed): Promise<void>;
  /** A new token of a repo, named as in seeds. `ttl` in seconds. Default: `write`, a day. */
  createToken(repo: string, options?: { readonly scope?: 'read' | 'write'; readonly ttl?: number }): Promise<string>;
  /** What Git clones a repo by. */
  remote(repo: string): string;
  /** Everything as it was when the mock was made, faults included; its clock goes on. */
  reset(): Promise<void>;
}

/**
 * The service itself, in memory, behind request handlers of MSW.
 *
 * @throws {MockOptionsError} for a `baseUrl` that is no origin, or a fault that cannot be.
 * @throws {SettingsError} for a setting that breaks a rule.
 */
export function createMock(options: MockOptions): Mock {
  const { account = 'local', zones = [], seed = {}, clock = systemClock, createIds = randomIdsEachTime } = options;
  const origin = readOrigin(options.baseUrl);
  const dialect = options.dialect === 'cloudflare' ? cloudflare : neutral;
  const unknownToken = unknownTokenOf(dialect);
  const open = (): ReturnType<typeof openService> =>
    openService({
      account,
      dialect,
      settings: {
        ...options.settings,
        public_url: origin,
        accounts: servedAccounts(account, options.apiTokens),
        zones: Object.fromEntries(zones.map((zone) => [zone, account])),
      },
      clock,
      createIds,
      grants: apiTokens({ account, zones, tokens: options.apiTokens, unknownToken, dialect }),
      log: options.log,
    });
  let opened = open();
  const faults = new FaultList<Seed>(options.faults ?? []);
  const beginning = new Beginning();
  const begin = (): Promise<void> => {
    const { ground } = opened;
    return beginning.restart(() => plant(ground, seed, clock.now()));
  };
  void begin();

  const { settings, remotes } = opened.hosting;
  const platform = createPlatformErrors({
    dialect: dialect.errors,
    docsBase: settings.docs_base,
    site: settings.site,
    clock: () => clock.now(),
  });
  const answer = answerWithFaults<Seed>({
    faults,
    platform,
    unknownToken,
    async answer(request) {
      await beginning.done;
      return await opened.service(withOwnBody(request));
    },
    async limited(request, retryAfter) {
      await beginning.done;
      const isPlatform = new URL(request.url).pathname.startsWith('/cdn-cgi/');
      return isPlatform
        ? platform.respond(request, { code: 1015, retryAfter })
        : opened.limited(withOwnBody(request), retryAfter);
    },
    change: (fault) => change(fault),
  });
  const change = async ({ add, remove = [] }: ChangedPageFault<Seed>): Promise<void> => {
    const { ground } = opened;
    for (const key of remove) {
      const { namespace, name } = readRepoKey(key);
      await ground.hosting.repos.delete(account, namespace, name);
    }
    if (add !== undefined) await plant(ground, add, clock.now());
  };

  const paths = areaPaths(origin, dialect);
  const rest = [intercept(paths.rest, answer)];
  const tagging = [intercept(paths.tagging, answer)];
  const errors = [intercept(paths.errors, answer)];
  const git = [intercept(remotePaths(settings.remote_template), answer)];
  const others = options.wholeOrigin === true ? [intercept(wholeOrigin(origin), answer)] : [];
  return {
    handlers: [...rest, ...tagging, ...errors, ...git, ...others],
    rest,
    tagging,
    errors,
    git,
    apiUrl: `${origin}${dialect.basePath}/accounts/${account}/${dialect.serviceSegment}`,
    faults,
    store: {
      inspect: inspect(() => opened.ground),
      ready: () => beginning.done,
      seed: (more) => beginning.add(() => plant(opened.ground, more, clock.now())),
      async createToken(key, { scope = 'write', ttl } = {}) {
        await beginning.done;
        const { namespace, name: repo } = readRepoKey(key);
        const body = { repo, scope, ...(ttl !== undefined && { ttl }) };
        return (await opened.hosting.tokens.create(account, namespace, body)).plaintext;
      },
      remote(key) {
        const { namespace, name: repo } = readRepoKey(key);
        return remotes.fill({ account, namespace, repo });
      },
      async reset() {
        opened = open();
        faults.restart();
        await begin();
      },
    },
  };
}

const randomIdsEachTime = (): Ids => randomIds;
