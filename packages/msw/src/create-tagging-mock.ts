import { createPlatformErrors } from '@packhouse/problem-details';
import { cloudflare, neutral } from '@packhouse/hosting/dialects';
import {
  createRegistry,
  createTagging,
  HostingError,
  listedZones,
  resolveTaggingSettings,
  systemClock,
  type Tagging,
} from '@packhouse/hosting/tagging';
import {
  defaultResourceTypes,
  tagging,
  type AuthorizeRequest,
  type Clock,
  type ResourceType,
  type TaggingHandler,
  type TaggingSettings,
  type TagRecord,
  type TagStores,
} from '@packhouse/router/tagging';
import { memoryTagStores } from '@packhouse/storage/tagging';
import type { HttpHandler } from 'msw';
import { answerWithFaults } from './faults/answer-with-faults.ts';
import { FaultList, type Faults } from './faults/fault-list.ts';
import type { Fault } from './faults/fault.ts';
import { intercept } from './handlers/intercept.ts';
import { withOwnBody } from './handlers/own-body.ts';
import { readOrigin } from './handlers/origin.ts';
import { areaPaths } from './handlers/paths.ts';
import { plantTags, type ResourceTagsSeed } from './seed/tag-seed.ts';
import { apiTokens, type ApiToken } from './service/api-tokens.ts';
import { unknownTokenOf } from './service/unknown-token.ts';
import { Beginning } from './store/beginning.ts';

/** What a mock of tagging alone holds, as data. */
export interface TaggingSeed {
  readonly tags?: readonly ResourceTagsSeed[];
}

/** As those of `createMock`, but for what needs repositories. */
export interface TaggingMockOptions {
  /** The origin it answers for, such as `https://api.example.test`. */
  readonly baseUrl: string;
  /** Default `neutral`. */
  readonly dialect?: 'neutral' | 'cloudflare';
  /** Default `local`. */
  readonly account?: string;
  /** Ids of zones of the account. Default: none. */
  readonly zones?: readonly string[];
  /** Default: every API token is known and may do everything in the account. */
  readonly apiTokens?: readonly ApiToken[];
  readonly seed?: TaggingSeed;
  readonly faults?: readonly Fault<TaggingSeed>[];
  /** Default: the time of the machine. */
  readonly clock?: Clock;
  /** Settings and limits, by their names in the specification, such as `tags_not_found`. */
  readonly settings?: Partial<TaggingSettings>;
}

/** The tagging API in memory, behind request handlers. */
export interface TaggingMock {
  readonly handlers: readonly HttpHandler[];
  /** What the paths of the account follow, such as `https://api.example.test/v4/accounts/local`. */
  readonly apiUrl: string;
  readonly store: TaggingStore;
  readonly faults: Faults<TaggingSeed>;
}

export interface TaggingStore {
  readonly inspect: {
    /** Resources of the account and its zones that hold tags. */
    tags(): Promise<readonly TagRecord[]>;
  };
  /** Resolves when the first seed is there, which requests wait for. @throws {SeedError} */
  ready(): Promise<void>;
  /** @throws {SeedError} for what the service refuses; what came before it stays. */
  seed(seed: TaggingSeed): Promise<void>;
  /** Everything as it was when the mock was made, faults included; its clock goes on. */
  reset(): Promise<void>;
}

/** Repos are not there, so each id of one is taken for that of one. */
const types: readonly ResourceType[] = [...defaultResourceTypes, { type: 'repository', level: 'account' }];

/**
 * The tagging API alone, in memory, behind request handlers of MSW. It brings neither Git nor the rest of the service.
 *
 * @throws {MockOptionsError} for a `baseUrl` that is no origin, or a fault that cannot be.
 * @throws {SettingsError} for a setting that breaks a rule.
 */
export function createTaggingMock(options: TaggingMockOptions): TaggingMock {
  const { account = 'local', zones = [], seed = {}, clock = systemClock } = options;
  const origin = readOrigin(options.baseUrl);
  const dialect = options.dialect === 'cloudflare' ? cloudflare : neutral;
  const unknownToken = unknownTokenOf(dialect);
  const grants = apiTokens({ account, zones, tokens: options.apiTokens, unknownToken, dialect });
  const authorize: AuthorizeRequest = async (request) => {
    const token = /^bearer +([\x21-\x7e]+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    const granted = token === undefined ? undefined : grants(token);
    return granted === undefined ? undefined : { credential: token as string, grants: granted };
  };
  const owners = listedZones(Object.fromEntries(zones.map((zone) => [zone, account])));
  const settings = resolveTaggingSettings(options.settings ?? {});
  const open = (): Opened => {
    const store = memoryTagStores();
    const shared = { store, zones: owners, clock, resourceTypes: types, requestIdHeader: dialect.requestIdHeader };
    const planted = createTagging({
      stores: store,
      authorize,
      registry: createRegistry(types, []),
      zones: owners,
      settings,
      clock,
    });
    const handler = (admit: AuthorizeRequest): TaggingHandler =>
      tagging({ ...options.settings, ...shared, authorize: admit, basePath: dialect.basePath });
    const limited = (retryAfter: number): TaggingHandler =>
      handler(async (request) => {
        if ((await authorize(request)) === undefined) return undefined;
        throw new HostingError('rate', { retryAfter });
      });
    return { store, planted, handler: handler(authorize), limited };
  };
  let opened = open();
  const faults = new FaultList<TaggingSeed>(options.faults ?? []);
  const beginning = new Beginning();
  const put = async ({ planted }: Opened, { tags = [] }: TaggingSeed): Promise<void> => {
    for (const [number, resource] of tags.entries()) await plantTags(planted, account, `tags[${number}]`, resource);
  };
  const begin = (): Promise<void> => {
    const begun = opened;
    return beginning.restart(() => put(begun, seed));
  };
  void begin();

  const answer = answerWithFaults<TaggingSeed>({
    faults,
    unknownToken,
    platform: createPlatformErrors({
      dialect: dialect.errors,
      docsBase: settings.docs_base,
      site: settings.site,
      clock: () => clock.now(),
    }),
    async answer(request) {
      await beginning.done;
      return await opened.handler(withOwnBody(request));
    },
    async limited(request, retryAfter) {
      await beginning.done;
      return await opened.limited(retryAfter)(withOwnBody(request));
    },
    change: async ({ add }) => {
      if (add !== undefined) await put(opened, add);
    },
  });
  return {
    handlers: [intercept(areaPaths(origin, dialect).tagging, answer)],
    apiUrl: `${origin}${dialect.basePath}/accounts/${account}`,
    faults,
    store: {
      inspect: {
        async tags() {
          const everything = { types: [], ids: [], name: '', filters: [], caseInsensitive: false };
          return (await opened.store(account).resources(everything, { limit: Number.MAX_SAFE_INTEGER })).items;
        },
      },
      ready: () => beginning.done,
      seed: (more) => beginning.add(() => put(opened, more)),
      async reset() {
        opened = open();
        faults.restart();
        await begin();
      },
    },
  };
}

interface Opened {
  readonly store: TagStores;
  readonly handler: TaggingHandler;
  /** The same when the rate of whoever asks is used up. */
  readonly limited: (retryAfter: number) => TaggingHandler;
  /** The same tags, past the checks of requests. */
  readonly planted: Tagging;
}
