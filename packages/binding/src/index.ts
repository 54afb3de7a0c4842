export { BindingError } from './binding-error.ts';
export { readBindings, type BindingEntry } from '@packhouse/hosting';
export { createBinding, type BindingOptions } from './create-binding.ts';
export { createBindings, type BindingsOptions } from './create-bindings.ts';
export { RepoError } from './repo-error.ts';
export { repoErrorCodes, type RepoErrorCode } from './repo-error-code.ts';
export type {
  ArchiveOptions,
  CherryPickOptions,
  FileRequest,
  FilesRequest,
  ForkOptions,
  ListRefsOptions,
  ListTreeOptions,
  CommitOptions,
  FileChange,
  LogOptions,
  MergeOptions,
  MergeSource,
  RefUpdate,
  Repo,
  RevertOptions,
  Signature,
  SearchOptions,
  UpdateOptions,
} from './repo.ts';
export type { CreateOptions, ImportParams, ListOptions, Repos } from './repos.ts';
export type {
  Commit,
  CreateRepoResult,
  CreateTokenResult,
  FileRead,
  FilesRead,
  ListedEntry,
  Merge,
  NewBlob,
  NewCommit,
  Person,
  Ref,
  RefChange,
  RefListResult,
  RepoDetails,
  RepoInfo,
  RepoListItem,
  RepoListResult,
  SearchMatch,
  SearchResult,
  TokenInfo,
  TokenListResult,
  TreeEntry,
  TreeEntryType,
  TreeListing,
} from './results.ts';
