export { readBindings, type BindingEntry } from './config/bindings.ts';
export { ConfigError } from './config/config-error.ts';
export { checkConfig, type ApiTokenEntry, type ServerConfig } from './config/config.ts';
export { apiPermissions } from './config/permissions.ts';
export { describeJsonFault } from './config/json-fault.ts';
export { listedTokens } from './config/listed-tokens.ts';
export { configType } from './config/members.ts';
export { nearest } from './config/nearest.ts';
export type { Member, ValueType } from './config/types.ts';
export { parseBearer } from './credentials/rest.ts';
export { parseGitCredential } from './credentials/git.ts';
export { cloudflare } from './dialect/cloudflare.ts';
export type { Dialect } from './dialect/dialect.ts';
export { neutral } from './dialect/neutral.ts';
export { capacityError } from './capacity-error.ts';
export { HostingError, repoErrors, type ErrorItem, type RepoErrorKind } from './errors.ts';
export { GitRefusal, gitRefusals, type GitRefusalReason } from './git/git-refusal.ts';
export type { GitAccess, GitRequest, OpenForGit } from './git/open-for-git.ts';
export { createHosting, type Hosting, type HostingOptions } from './hosting.ts';
export type { RawFields } from './input/fields.ts';
export type { CursorInfo, OffsetInfo, Page } from './lists/page.ts';
export { accountIdForm, isAccountId, isServedAccount } from './names/account-id.ts';
export { foldName } from './names/fold.ts';
export { parseNamespaceName, type NamespaceName } from './names/namespace-name.ts';
export { parseRepoName, type RepoName } from './names/repo-name.ts';
export type { Namespace, Namespaces } from './namespaces/namespaces.ts';
export type { AccountGrant, Authorizer, Grant, ZoneGrant } from './ports/authorizer.ts';
export type {
  Catalog,
  Catalogs,
  DeletedRepo,
  DeleteOutcome,
  Direction,
  NamespaceRecord,
  NewRepo,
  Place,
  RepoContent,
  RepoList,
  RepoRecord,
  RepoSort,
  ReserveOutcome,
  Slice,
  TokenLine,
  Touch,
} from './ports/catalog.ts';
export type { Content, RepoPath } from './content/content.ts';
export { contentTypeOf } from './content/content-type.ts';
export type { RepoIdentity } from './content/open-repo.ts';
export { pushLimits } from './limits/push-limits.ts';
export { createRateLimiter, type CreateRateLimiter, type RateLimiter } from './limits/rate-limiter.ts';
export { systemClock, type Clock } from './ports/clock.ts';
export { randomIds, type Ids } from './ports/ids.ts';
export type { DeliveredEvent, EventBody, OnEvent } from './ports/on-event.ts';
export type { ImportElsewhere, ImportJob } from './imports/import-job.ts';
export type { LookupPurpose, Outbound } from './ports/outbound.ts';
export {
  eventOverhead,
  heldEventAge,
  idleQueueBytesMax,
  queueBytesMax,
  type Outbox,
  type PendingEvent,
  type PendingEvents,
} from './ports/outbox.ts';
export type {
  HostedRepo,
  HostedRepoState,
  LastPush,
  OpenedRepo,
  RepoHead,
  RepoPlace,
  RepoStatus,
  RepoStorage,
  TokenList,
  TokenPart,
  TokenRecord,
  TokenScope,
} from './ports/repo-storage.ts';
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
export { isLoopback } from './remote/loopback.ts';
export type { RemoteMatch, Remotes } from './remote/remotes.ts';
export { maintainHostedRepo, type MaintainRepoOptions } from './repos/maintain-repo.ts';
export type { QuietMerge } from './repos/quiet-merge.ts';
export type { CreateRepoResult, ForkRepoResult, RepoInfo, RepoListItem } from './repos/repo-info.ts';
export type { Repos } from './repos/repos.ts';
export { settingRules, type SettingRule } from './settings/rules.ts';
export { SettingsError } from './settings/settings-error.ts';
export { resolveSettings, type Rate, type Settings } from './settings/settings.ts';
export { defaultResourceTypes } from './tags/registry/default-resource-types.ts';
export { repositoryType } from './tags/registry/repository-directory.ts';
export type { SharedDirectory } from './tags/registry/directories.ts';
export type { ResourceType, ResourceTypeChanges } from './tags/resource-types.ts';
export type { HostResource, TaggedResource, Tagging, TagList, TagListInfo, TagScope } from './tags/tagging.ts';
export { TaggingError, taggingErrors, type TaggingErrorKind } from './tags/tagging-error.ts';
export type { CreateTokenResult, RepoTokens, TokenInfo } from './tokens/repo-tokens.ts';
export { hashSecret, secretOf } from './tokens/secret.ts';
export { hasTokenForm } from './tokens/token-form.ts';
export type { Tokens } from './tokens/tokens.ts';
export { tokenState, type TokenState } from './tokens/state.ts';
export { version } from './version.ts';
