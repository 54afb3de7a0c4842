export { createMock, type Mock, type MockOptions } from './create-mock.ts';
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
export type { AnnotatedTagSeed, CommitSeed, FileSeed, RepoSeed, RepoTagsSeed, Seed } from './seed/seed.ts';
export { SeedError } from './seed/seed-error.ts';
export type { ResourceTagsSeed } from './seed/tag-seed.ts';
export type { ApiPermission, ApiToken } from './options/api-tokens.ts';
export type { ListReply, Refusal, RefusalReason, Reply } from './reply.ts';
export type { Inspection } from './store/inspect.ts';
export type { Store } from './store/mock-store.ts';
export { SettingsError, type Clock, type Ids, type Log, type LogRecord } from '@packhouse/base';
export type {
  CreateRepoResult,
  CreateTokenResult,
  CursorInfo,
  ForkRepoResult,
  Namespace,
  OffsetInfo,
  RepoDetails,
  RepoInfo,
  RepoListItem,
  Settings,
  TokenInfo,
} from '@packhouse/hosting';
export type { TaggedResource, TagListInfo, TagRecord, TagSummary } from '@packhouse/tagging';
