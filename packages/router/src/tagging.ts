/** The tagging API alone, for an app of your own: neither Git nor the rest of the service comes with it. */
export {
  defaultResourceTypes,
  listedZones,
  SettingsError,
  type AuthorizeRequest,
  type Caller,
  type Clock,
  type CreateRateLimiter,
  type Grant,
  type HostResource,
  type Ids,
  type Rate,
  type RateLimiter,
  type ResourceDirectory,
  type ResourceIdentity,
  type ResourceType,
  type SetTagsOutcome,
  type SharedDirectory,
  type TagChange,
  type TaggedResourceList,
  type TagPart,
  type TagRecord,
  type TagSlice,
  type TagStore,
  type TagStores,
  type TaggedResource,
  type TaggingSettings,
  type TagSummary,
  type ZoneDirectory,
} from '@packhouse/hosting/tagging';
export type { FailureRecord } from './log/log.ts';
export { tagging, type TaggingHandler } from './tags/standalone.ts';
export type { TaggingDocumentOptions, TaggingOptions } from './tags/tagging-options.ts';
