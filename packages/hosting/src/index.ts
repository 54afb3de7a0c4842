/** An app needs these for its options and errors. */
export {
  HostingError,
  SettingsError,
  type AccountGrant,
  type Authorizer,
  type Clock,
  type Grant,
  type Ids,
  type Rate,
  type ZoneGrant,
} from '@packhouse/base';
export { cloudflare } from './dialect/cloudflare.ts';
export type { BindingEntry, Dialect } from './dialect/dialect.ts';
export { neutral } from './dialect/neutral.ts';
export { capacityError } from './limits/capacity-error.ts';
export { GitRefusal, gitRefusals, type GitRefusalReason } from './git/git-refusal.ts';
export type { GitAccess, GitRequest, OpenForGit } from './git/open-for-git.ts';
export { leftoverAge, sweepLeftovers } from './lifecycle/left-overs.ts';
export { createHosting, type Hosting, type HostingOptions } from './hosting.ts';
export type { CursorInfo, OffsetInfo, Page } from './lists/page.ts';
export { foldName } from './names/fold.ts';
export { parseNamespaceName, type NamespaceName } from './names/namespace-name.ts';
export { parseRepoName, type RepoName } from './names/repo-name.ts';
export type { Namespace, Namespaces } from './namespaces/namespaces.ts';
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
  RepoUpdate,
  UpdateOutcome,
  RepoList,
  RepoRecord,
  RepoSort,
  ReserveOutcome,
  Slice,
  TokenLine,
  Touch,
} from './ports/catalog.ts';
export type { Content, RepoPath } from './content/content.ts';
export { checkArchiveFields, splitArchiveName } from './content/archive-fields.ts';
export type { FilesRead } from './content/read-files.ts';
export { contentTypeOf } from './content/content-type.ts';
export type { RepoIdentity } from './lookup/open-repo.ts';
export { pushLimits } from './limits/push-limits.ts';
export type { DueEvents, DueRepo, DueWork, QueuedRepo } from './ports/due-work.ts';
export type { CountedStorage, StorageCounts } from './ports/storage-counts.ts';
export {
  eventsKey,
  LeaseLostError,
  maintenanceKey,
  webhooksKey,
  type WorkLease,
  type WorkLeases,
  type WorkStorage,
} from './ports/work-leases.ts';
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
export {
  lagReason,
  webhookBatchBytes,
  type QueuedEvent,
  type QueuedWebhook,
  type WebhookChange,
  type WebhookDelivery,
  type WebhookList,
  type WebhookPlace,
  type WebhookProgress,
  type WebhookQueue,
  type WebhookRecord,
  type WebhookWork,
} from './ports/webhooks.ts';
export type { WebhookOwner, Webhooks } from './webhooks/webhooks.ts';
export type { WebhookDeliveryInfo, WebhookInfo, WebhookWithSecret } from './webhooks/webhook-info.ts';
export { eventNames, type EventName } from './events/make-event.ts';
export type {
  HeadUpdate,
  HostedRepo,
  HostedRepoState,
  HostedSnapshot,
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
export { isLoopback } from './outbound/loopback.ts';
export type { RemoteMatch, Remotes } from './internal/remotes.ts';
export { maintainHostedRepo, type MaintainRepoOptions } from './repos/maintain-repo.ts';
export type { QuietMerge } from './repos/quiet-merge.ts';
export type { CreateRepoResult, ForkRepoResult, RepoDetails, RepoInfo, RepoListItem } from './repos/repo-info.ts';
export type { PushedRepo } from './changes/record-push.ts';
export { updatesMax } from './refs/read-updates.ts';
export { refPageRows, type Ref, type RefListPage, type Refs } from './refs/refs.ts';
export { JsonBody } from './commits/commit-parts.ts';
export { changesMax } from './commits/read-commit.ts';
export type { CommitCall, Commits, NewBlob, NewCommit } from './commits/commits.ts';
export type { UploadBody } from './commits/upload-body.ts';
export type { Merge, Merges } from './merges/merges.ts';
export type { RefChange } from './refs/update-refs.ts';
export type { SearchMatch, SearchPageResult, SearchResult } from './content/search.ts';
export type { Repos } from './repos/repos.ts';
export { settingRules } from './settings/rules.ts';
export { bindingMembers, bindingProblem, readBindings } from './settings/bindings.ts';
export { mountPathOf } from './settings/origins.ts';
export { orderProblem } from './settings/order.ts';
export { resolveSettings, type Settings } from './settings/settings.ts';
export { covers, includesPermission, reachOf, type TokenPermission, type TokenReach } from './ports/api-token-reach.ts';
export type { ApiTokenList, ApiTokenPart, ApiTokenRecord, ApiTokenStore, ApiTokenStores } from './ports/api-tokens.ts';
export type { ApiTokenInfo, ApiTokens, CreateApiTokenResult, TokenCaller } from './tokens/api-tokens.ts';
export type { Access, Authorize, Target } from './tokens/authorize.ts';
export { isApiSecret } from './tokens/api-secret.ts';
export { authorizeStored } from './tokens/find-api-token.ts';
export type { CreateTokenResult, RepoTokens, TokenInfo } from './tokens/repo-tokens.ts';
export { hasTokenForm } from './dialect/token-form.ts';
export type { Tokens } from './tokens/tokens.ts';
export { tokenState, type TokenState } from './ports/token-state.ts';
export { version } from './outbound/version.ts';
