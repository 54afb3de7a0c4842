/** Types of options and errors, so that an app needs no other package. */
export {
  HostingError,
  SettingsError,
  type Clock,
  type CreateRateLimiter,
  type FailureRecord,
  type Grant,
  type Ids,
  type Rate,
  type RateLimiter,
} from '@packhouse/base';
export type { AuthorizeRequest, Caller } from './admission/admit.ts';
export { listedZones } from './admission/listed-zones.ts';
export { type TaggingServiceOptions, createTagging } from './service/create-tagging.ts';
export { tagDocument } from './http/openapi/document.ts';
export { tagging, type TaggingHandler } from './http/standalone.ts';
export type { TaggingDocumentOptions, TaggingOptions } from './http/tagging-options.ts';
export { tagFace } from './http/tag-face.ts';
export { accountOf, tagOperationId, tagRoute } from './http/tag-route.ts';
export type { ResourceDirectory, ZoneDirectory } from './model/resource-directory.ts';
export type {
  ResourceIdentity,
  SetTagsOutcome,
  TagChange,
  TagPart,
  TagRecord,
  TagSlice,
  TagStore,
  TagStores,
  TagSummary,
  TaggedResourceList,
} from './model/tag-store.ts';
export { defaultResourceTypes } from './registry/default-resource-types.ts';
export type { SharedDirectory } from './registry/directories.ts';
export { createRegistry, type NamedChanges, type Registry } from './registry/registry.ts';
export type { ResourceType, ResourceTypeChanges } from './model/resource-types.ts';
export { memoryTagStores } from './stores/memory.ts';
export { TaggingError, taggingErrors, type TaggingErrorKind } from './model/tagging-error.ts';
export { type TagSettings, type TaggingSettings, resolveTaggingSettings, tagRules } from './model/tagging-settings.ts';
export type { HostResource, TaggedResource, Tagging, TagList, TagListInfo, TagScope } from './model/tagging.ts';
