/** The tagging API without the rest of the service, for an app that mounts it alone. */
export { HostingError, repoErrors, type RepoErrorKind } from './errors.ts';
export { accountIdForm, isAccountId } from './names/account-id.ts';
export type { AccountGrant, Grant, ZoneGrant } from './ports/authorizer.ts';
export type { ResourceDirectory, ZoneDirectory } from './ports/resource-directory.ts';
export type { ResourceType } from './tags/resource-types.ts';
export type { HostResource, TaggedResource, Tagging, TagList, TagListInfo, TagScope } from './tags/tagging.ts';
export { TaggingError, taggingErrors, type TaggingErrorKind } from './tags/tagging-error.ts';
