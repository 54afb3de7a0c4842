import { createPlatformErrors } from '@packhouse/problem-details';
import { randomIds, systemClock, type Ids, type Log } from '@packhouse/base';
import { resolveServiceSettings, type ServiceSettings } from '@packhouse/router';
import type { HttpHandler } from 'msw';
import { repoFaults } from './faults/check-fault.ts';
import type { Fault } from './faults/fault.ts';
import type { Faults } from './faults/fault-list.ts';
import { intercept } from './handlers/intercept.ts';
import { readOrigin } from './options/origin.ts';
import { accountUrlOf, areaPaths, remotePaths, wholeOrigin } from './handlers/paths.ts';
import type { Seed } from './seed/seed.ts';
import type { AccountOptions } from './options/account-options.ts';
import { apiTokens, servedAccounts } from './options/api-tokens.ts';
import { checkSettings } from './options/check-settings.ts';
import { checkedOptions, type OptionNames } from './options/check-options.ts';
import { mocked } from './service/mocked.ts';
import { openService } from './service/open-service.ts';
import { readDialect } from './options/read-dialect.ts';
import { unknownTokenOf } from './service/unknown-token.ts';
import { mockStore, type Store } from './store/mock-store.ts';

/** The options of a mock. Only `baseUrl` is required. */
export interface MockOptions extends AccountOptions {
  /**
   * The content at the start and after each reset. The mock copies it, so later changes to the object have no effect.
   */
  readonly seed?: Seed;
  /** The faults at the start and after each reset. */
  readonly faults?: readonly Fault<Seed>[];
  /** Creates the source of ids and secrets, now and at each reset. Default: random values. */
  readonly createIds?: () => Ids;
  /** Settings and limits, by their names in the specification, such as `rate_rest`. */
  readonly settings?: Partial<Omit<ServiceSettings, 'accounts' | 'public_url' | 'zones'>>;
  /**
   * True if the service answers every path of its origin, as a real one does (REPO-029). Default: paths outside the
   * areas fall through to other handlers.
   */
  readonly wholeOrigin?: boolean;
  /** Default: no log. */
  readonly log?: Log;
}

/** A mock of the service, in memory, as request handlers. */
export interface Mock {
  /** The handlers of all areas: for `setupServer(...mock.handlers)` and `setupWorker(...mock.handlers)`. */
  readonly handlers: readonly HttpHandler[];
  /** Handlers for namespaces, repos, their content and tokens. */
  readonly rest: readonly HttpHandler[];
  readonly tagging: readonly HttpHandler[];
  /** Handlers for `/cdn-cgi/error/{code}`, which shows a platform error. */
  readonly errors: readonly HttpHandler[];
  /** Handlers for the remotes of all repos. */
  readonly git: readonly HttpHandler[];
  /**
   * The URL of the account, such as `https://api.example.test/v4/accounts/local`. `/tags` and the other paths of the
   * account follow.
   */
  readonly accountUrl: string;
  /**
   * The base URL of the REST API, such as `https://api.example.test/v4/accounts/local/repos`. `/namespaces` and its
   * other paths follow.
   */
  readonly restUrl: string;
  readonly store: Store;
  readonly faults: Faults<Fault<Seed>>;
}

/**
 * Creates a mock of the service: the real service in memory, behind request handlers of MSW.
 *
 * @throws {MockOptionsError} for an unknown option, such as a misspelt one, or an impossible fault.
 * @throws {SettingsError} for a setting that breaks a rule.
 */
export function createMock(given: MockOptions): Mock {
  const options = checkedOptions(given, optionNames);
  const { account = 'local', zones = [], clock = systemClock, createIds = randomIdsEachTime } = options;
  const origin = readOrigin(options.baseUrl);
  const dialect = readDialect(options.dialect);
  const unknownToken = unknownTokenOf(dialect);
  const grants = apiTokens({ account, zones, tokens: options.apiTokens, unknownToken, dialect });
  checkSettings(options.settings);
  const chosen: Partial<ServiceSettings> = {
    ...options.settings,
    public_url: origin,
    accounts: servedAccounts(account, options.apiTokens),
    zones: Object.fromEntries(zones.map((zone) => [zone, account])),
  };
  const settings = resolveServiceSettings(chosen, dialect);
  const platform = createPlatformErrors({
    dialect: dialect.errors,
    docsBase: settings.docs_base,
    site: settings.site,
    trustRayHeader: settings.trust_ray_header,
    markdownGuidanceMember: settings.markdown_guidance_member,
    clock: () => clock.now(),
  });
  const { answer, faults, now, held, store } = mocked({
    open: () =>
      openService({ account, dialect, settings: chosen, clock, createIds, grants, platform, log: options.log }),
    seed: options.seed ?? {},
    faults: options.faults,
    faultMembers: repoFaults,
    platform,
    unknownToken,
  });

  const accountUrl = accountUrlOf(origin, dialect, account);
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
    accountUrl,
    restUrl: `${accountUrl}/${dialect.serviceSegment}`,
    faults,
    store: mockStore({ account, store, now, held }),
  };
}

const optionNames: OptionNames<MockOptions> = {
  baseUrl: true,
  dialect: true,
  account: true,
  zones: true,
  apiTokens: true,
  seed: true,
  faults: true,
  clock: true,
  createIds: true,
  settings: true,
  wholeOrigin: true,
  log: true,
};

const randomIdsEachTime = (): Ids => randomIds;
