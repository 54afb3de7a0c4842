/** The tagging API without the rest of the service, for an app that mounts it alone. */
export { parseGitCredential } from './credentials/git.ts';
export { parseBearer } from './credentials/rest.ts';
export { HostingError, repoErrors, type RepoErrorKind } from './errors.ts';
export type { CreateRateLimiter, RateLimiter } from './limits/rate-limiter.ts';
export { accountIdForm, isAccountId } from './names/account-id.ts';
export type { AccountGrant, Grant, ZoneGrant } from './ports/authorizer.ts';
export { systemClock, type Clock } from './ports/clock.ts';
export { randomIds, type Ids } from './ports/ids.ts';
export type { ResourceDirectory, ZoneDirectory } from './ports/resource-directory.ts';
export type {
  ResourceIdentity,
  SetTagsOutcome,
  TagChange,
  TaggedResourceList,
  TagPart,
  TagRecord,
  TagSlice,
  TagStore,
  TagStores,
  TagSummary,
} from './ports/tag-store.ts';
export type { Rate } from './settings/settings.ts';
export { SettingsError } from './settings/settings-error.ts';
export type { AuthorizeRequest, Caller } from './tags/admission/admit.ts';
export { listedZones } from './tags/admission/listed-zones.ts';
export { createTagging, type TaggingOptions } from './tags/create-tagging.ts';
export { defaultResourceTypes } from './tags/registry/default-resource-types.ts';
export type { SharedDirectory } from './tags/registry/directories.ts';
export { createRegistry, type NamedChanges, type Registry } from './tags/registry/registry.ts';
export type { ResourceType, ResourceTypeChanges } from './tags/resource-types.ts';
export type { HostResource, TaggedResource, Tagging, TagList, TagListInfo, TagScope } from './tags/tagging.ts';
export { TaggingError, taggingErrors, type TaggingErrorKind } from './tags/tagging-error.ts';
export { resolveTaggingSettings, type TaggingSettings } from './tags/tagging-settings.ts';
export { secretOf } from './tokens/secret.ts';
