import { systemClock, type Grant } from '@packhouse/base';
import {
  authorizeStored,
  createHosting,
  neutral,
  type ApiTokenStores,
  type Catalogs,
  type Hosting,
  type HostingOptions,
  type RepoStorage,
} from '@packhouse/hosting';
import type { Tagging, TagStores } from '@packhouse/tagging';
import { hostedSettings, withTagSettings, type ServiceSettings } from './settings/service-settings.ts';
import { repositoryName, repositoryResource } from './tags/repository-directory.ts';
import { serviceTagging, type HostedTagging } from './tags/service-tagging.ts';

/** The storage of repositories and their tags. */
export interface AreaStorage {
  readonly catalog: Catalogs;
  readonly repos: RepoStorage;
  /** If undefined, the service has no tagging. */
  readonly tags?: TagStores | undefined;
  /** If undefined, clients create no API tokens. */
  readonly apiTokens?: ApiTokenStores | undefined;
}

/** Options of {@link createAreas}. */
export interface AreaOptions
  extends
    Omit<HostingOptions, 'apiTokens' | 'authorizer' | 'catalog' | 'removeTags' | 'renameTags' | 'settings' | 'storage'>,
    HostedTagging {
  readonly storage: AreaStorage;
  /** Returns the grants of an API token that the storage does not have; undefined for an unknown one (REPO-030, TAG-016). */
  readonly authorize: (token: string) => Promise<readonly Grant[] | undefined>;
  /**
   * Settings by their names in the specification. Each has a default; that of `public_url` is `http://127.0.0.1:8787`
   * (REPO-023).
   */
  readonly settings?: Partial<ServiceSettings>;
}

/** The areas of a service for callers in the same process, without HTTP. */
export interface Areas {
  readonly hosting: Hosting;
  /** Undefined without a store for tags. */
  readonly tagging: Tagging | undefined;
  readonly settings: ServiceSettings;
}

/**
 * Connects repositories and tags. Tagging treats each repository as a resource, and deleting a repository removes its
 * tags (TAG-127), and a new name of it renames them.
 *
 * @throws {SettingsError} if a setting or a resource type breaks a rule.
 */
export function createAreas(options: AreaOptions): Areas {
  const { dialect = neutral, clock = systemClock, authorize, settings: given = {} } = options;
  const { apiTokens, catalog, repos, tags } = options.storage;
  const authorizer = authorizeStored({ apiTokens, clock, dialect }, authorize);
  const hosting = createHosting({
    ...options,
    dialect,
    clock,
    authorizer,
    apiTokens,
    catalog,
    settings: hostedSettings(given),
    storage: repos,
    renameTags: tags && ((account, repo) => tags(account).rename(repositoryResource(repo.id), repositoryName(repo))),
    removeTags: tags && ((account, id) => tags(account).remove(repositoryResource(id), null)),
  });
  const settings = withTagSettings(hosting.settings, given);
  const tagging = serviceTagging({ ...options, authorizer, tags, catalog }, settings, clock);
  return { hosting, tagging, settings };
}
