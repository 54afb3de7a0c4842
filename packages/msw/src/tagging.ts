/** The entry for the tagging API only. It loads neither Git nor the rest of the service. */
export {
  createTaggingMock,
  type TaggingMock,
  type TaggingMockOptions,
  type TaggingStore,
} from './create-tagging-mock.ts';
export type {
  ChangedPageFault,
  DroppedConnectionFault,
  ExpiredTokenFault,
  Fault,
  FaultScope,
  LatencyFault,
  PlatformErrorFault,
  PlatformFault,
  RateLimitFault,
} from './faults/fault.ts';
export type { Faults } from './faults/fault-list.ts';
export { MockOptionsError } from './options/origin.ts';
export { SeedError } from './seed/seed-error.ts';
export type { ResourceTagsSeed, TaggingSeed } from './seed/tag-seed.ts';
export type { ListReply, Refusal, RefusalReason, Reply } from './reply.ts';
export type { ApiPermission, ApiToken } from './options/api-tokens.ts';
export { SettingsError, type Clock } from '@packhouse/base';
export type { TaggedResource, TagListInfo, TagRecord, TagSummary, TaggingSettings } from '@packhouse/tagging';
