export { BindingError } from './binding-error.ts';
export { createBinding, type BindingOptions } from './create-binding.ts';
export { RepoError, repoErrorCodes, type RepoErrorCode } from './repo-error.ts';
export type { FileRequest, ForkOptions, LogOptions, Repo } from './repo.ts';
export type { CreateOptions, ImportParams, ListOptions, Repos } from './repos.ts';
export type {
  Commit,
  CreateRepoResult,
  CreateTokenResult,
  Person,
  RepoInfo,
  RepoListItem,
  RepoListResult,
  TokenInfo,
  TokenListResult,
  TreeEntry,
  TreeEntryType,
} from './results.ts';
