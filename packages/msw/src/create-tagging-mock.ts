import { createPlatformErrors } from '@packhouse/problem-details';
import {
  createRegistry,
  createTagging,
  listedZones,
  resolveTaggingSettings,
  defaultResourceTypes,
  tagging,
  type AuthorizeRequest,
  type ResourceType,
  type TaggingOptions,
  type TaggingSettings,
  type TagRecord,
  type TagStores,
  memoryTagStores,
} from '@packhouse/tagging';
import { parseBearer, systemClock } from '@packhouse/base';
import type { HttpHandler } from 'msw';
import { serviceFaults } from './faults/check-fault.ts';
import type { Fault } from './faults/fault.ts';
import type { Faults } from './faults/fault-list.ts';
import { intercept } from './handlers/intercept.ts';
import { withOwnBody } from './handlers/own-body.ts';
import { readOrigin } from './options/origin.ts';
import { accountUrlOf, areaPaths } from './handlers/paths.ts';
import { checkTaggingSeed } from './seed/check-seed.ts';
import { plantTags, type TaggingSeed } from './seed/tag-seed.ts';
import type { AccountOptions } from './options/account-options.ts';
import { apiTokens } from './options/api-tokens.ts';
import { checkSettings } from './options/check-settings.ts';
import { checkedOptions, type OptionNames } from './options/check-options.ts';
import type { HeldService } from './handlers/held-service.ts';
import { limitedBy } from './service/limited-by.ts';
import { mocked, type SeededStore } from './service/mocked.ts';
import { readDialect } from './options/read-dialect.ts';
import { unknownTokenOf } from './service/unknown-token.ts';
import { allTags } from './store/all-tags.ts';

/** The options of `createMock` that do not need repositories. */
export interface TaggingMockOptions extends AccountOptions {
  /** The content at the start and after each reset. */
  readonly seed?: TaggingSeed;
  /** The faults at the start and after each reset. */
  readonly faults?: readonly Fault<TaggingSeed>[];
  /** Settings and limits, by their names in the specification, such as `tags_not_found`. */
  readonly settings?: Partial<TaggingSettings>;
}

/** A mock of the tagging API, in memory, as request handlers. */
export interface TaggingMock {
  readonly handlers: readonly HttpHandler[];
  /** The URL of the account, such as `https://api.example.test/v4/accounts/local`. `/tags` follows. */
  readonly accountUrl: string;
  readonly store: TaggingStore;
  readonly faults: Faults<Fault<TaggingSeed>>;
}

export interface TaggingStore extends SeededStore<TaggingSeed> {
  readonly inspect: {
    /**
     * Returns the tagged resources of the account and its zones.
     *
     * @throws {SeedError} if the first seed was refused.
     */
    tags(): Promise<readonly TagRecord[]>;
  };
}

/** This mock has no repos, so it accepts any repository id. */
const types: readonly ResourceType[] = [...defaultResourceTypes, { type: 'repository', level: 'account' }];

/**
 * Creates a mock of the tagging API only, in memory, behind request handlers of MSW. It loads neither Git nor the rest
 * of the service.
 *
 * @throws {MockOptionsError} for an unknown option, such as a misspelt one, or an impossible fault.
 * @throws {SettingsError} for a setting that breaks a rule.
 */
export function createTaggingMock(given: TaggingMockOptions): TaggingMock {
  const options = checkedOptions(given, optionNames);
  const { account = 'local', zones = [], clock = systemClock } = options;
  const origin = readOrigin(options.baseUrl);
  const dialect = readDialect(options.dialect);
  const unknownToken = unknownTokenOf(dialect);
  const grants = apiTokens({ account, zones, tokens: options.apiTokens, unknownToken, dialect });
  const authorize: AuthorizeRequest = async (request) => {
    const credential = parseBearer(request.headers.get('authorization'));
    const granted = credential === undefined ? undefined : grants(credential);
    return credential === undefined || granted === undefined ? undefined : { credential, grants: granted };
  };
  // The same default as that of the whole service (REPO-213).
  const settings = resolveTaggingSettings({ docs_base: `${origin}/docs`, ...options.settings });
  checkSettings(options.settings, Object.keys(settings));
  const shared = { authorize, clock, zones: listedZones(Object.fromEntries(zones.map((zone) => [zone, account]))) };
  const { basePath, requestIdHeader, linksTagErrors } = dialect;
  const docs_base = linksTagErrors ? settings.docs_base : undefined;
  const open = (): OpenedTags => {
    const store = memoryTagStores();
    const planted = createTagging({ ...shared, stores: store, registry: createRegistry(types, []), settings });
    const serve = (more: Pick<TaggingOptions, 'createLimiter'>): ReturnType<typeof tagging> =>
      tagging({ ...settings, docs_base, ...shared, ...more, store, resourceTypes: types, basePath, requestIdHeader });
    const service = serve({});
    const limited = limitedBy((createLimiter) => serve({ createLimiter }));
    return {
      store,
      answer: async (request) => await service(await withOwnBody(request)),
      limited: async (request, retryAfter) => await limited(retryAfter)(await withOwnBody(request)),
      async put(seeded) {
        checkTaggingSeed(seeded);
        const { tags = [] } = seeded;
        for (const [number, resource] of tags.entries())
          await plantTags(planted, account, `tags[${number}]`, resource, (zone) => zones.includes(zone));
      },
      remove: async () => {},
    };
  };
  const { answer, faults, held, store } = mocked({
    open,
    seed: options.seed ?? {},
    faults: options.faults,
    faultMembers: serviceFaults,
    platform: createPlatformErrors({
      dialect: dialect.errors,
      docsBase: settings.docs_base,
      site: settings.site,
      clock: () => clock.now(),
    }),
    unknownToken,
  });
  return {
    handlers: [intercept(areaPaths(origin, dialect).tagging, answer)],
    accountUrl: accountUrlOf(origin, dialect, account),
    faults,
    store: { ...store, inspect: { tags: async () => await allTags((await held()).store(account)) } },
  };
}

const optionNames: OptionNames<TaggingMockOptions> = {
  baseUrl: true,
  dialect: true,
  account: true,
  zones: true,
  apiTokens: true,
  seed: true,
  faults: true,
  clock: true,
  settings: true,
};

interface OpenedTags extends HeldService<TaggingSeed> {
  readonly store: TagStores;
}
