import { RpcTarget } from 'cloudflare:workers';
import type {
  ArchiveOptions,
  CherryPickOptions,
  Commit,
  CommitDetails,
  CommitOptions,
  CommitReadOptions,
  CompareRequest,
  Comparison,
  CreateRepoResult,
  CreateTokenResult,
  FileRequest,
  FilesRead,
  FilesRequest,
  ForkOptions,
  ListRefsOptions,
  ListTreeOptions,
  LogOptions,
  Merge,
  MergeOptions,
  NewBlob,
  NewCommit,
  RefChange,
  RefListResult,
  RefUpdate,
  Repo,
  RepoDetails,
  RevertOptions,
  SearchOptions,
  SearchResult,
  TokenListResult,
  TreeEntry,
  TreeListing,
  UpdateOptions,
} from '@packhouse/binding';
import type { BoundNamespace } from './bound-namespace.ts';

/** A handle on one repository, for which another Worker holds a stub. RPC exposes only its methods. */
export class RepoTarget extends RpcTarget implements Repo {
  readonly #bound: BoundNamespace;
  readonly #repo: Repo;

  constructor(bound: BoundNamespace, repo: Repo) {
    super();
    this.#bound = bound;
    this.#repo = repo;
  }

  info(): Promise<RepoDetails> {
    return this.#bound.call('info', () => this.#repo.info());
  }

  update(fields: UpdateOptions): Promise<RepoDetails> {
    return this.#bound.call('update', () => this.#repo.update(fields));
  }

  createToken(scope?: 'write' | 'read', ttl?: number): Promise<CreateTokenResult> {
    return this.#bound.call('createToken', () => this.#repo.createToken(scope, ttl));
  }

  listTokens(): Promise<TokenListResult> {
    return this.#bound.call('listTokens', () => this.#repo.listTokens());
  }

  revokeToken(tokenOrId: string): Promise<boolean> {
    return this.#bound.call('revokeToken', () => this.#repo.revokeToken(tokenOrId));
  }

  readBlob(hash: string): Promise<Blob | null> {
    return this.#bound.call('readBlob', () => this.#repo.readBlob(hash));
  }

  readTree(hash: string): Promise<TreeEntry[] | null> {
    return this.#bound.call('readTree', () => this.#repo.readTree(hash));
  }

  readCommit(hash: string, opts?: CommitReadOptions): Promise<CommitDetails | null> {
    return this.#bound.call('readCommit', () => this.#repo.readCommit(hash, opts));
  }

  readFile(args: FileRequest): Promise<Blob | null> {
    return this.#bound.call('readFile', () => this.#repo.readFile(args));
  }

  log(opts?: LogOptions): Promise<Commit[]> {
    return this.#bound.call('log', () => this.#repo.log(opts));
  }

  readFiles(args: FilesRequest): Promise<FilesRead | null> {
    return this.#bound.call('readFiles', () => this.#repo.readFiles(args));
  }

  listTree(opts?: ListTreeOptions): Promise<TreeListing | null> {
    return this.#bound.call('listTree', () => this.#repo.listTree(opts));
  }

  listRefs(opts?: ListRefsOptions): Promise<RefListResult> {
    return this.#bound.call('listRefs', () => this.#repo.listRefs(opts));
  }

  compare(args: CompareRequest): Promise<Comparison> {
    return this.#bound.call('compare', () => this.#repo.compare(args));
  }

  archive(ref: string, opts?: ArchiveOptions): Promise<ReadableStream<Uint8Array> | null> {
    return this.#bound.call('archive', () => this.#repo.archive(ref, opts));
  }

  updateRefs(updates: readonly RefUpdate[]): Promise<RefChange[]> {
    return this.#bound.call('updateRefs', () => this.#repo.updateRefs(updates));
  }

  commit(opts: CommitOptions): Promise<NewCommit> {
    return this.#bound.call('commit', () => this.#repo.commit(opts));
  }

  merge(opts: MergeOptions): Promise<Merge> {
    return this.#bound.call('merge', () => this.#repo.merge(opts));
  }

  cherryPick(opts: CherryPickOptions): Promise<Merge> {
    return this.#bound.call('cherryPick', () => this.#repo.cherryPick(opts));
  }

  revert(opts: RevertOptions): Promise<Merge> {
    return this.#bound.call('revert', () => this.#repo.revert(opts));
  }

  writeBlob(content: Uint8Array | Blob | ReadableStream<Uint8Array>): Promise<NewBlob> {
    return this.#bound.call('writeBlob', () => this.#repo.writeBlob(content));
  }

  search(q: string, opts?: SearchOptions): Promise<SearchResult> {
    return this.#bound.call('search', () => this.#repo.search(q, opts));
  }

  fork(name: string, opts?: ForkOptions): Promise<CreateRepoResult> {
    return this.#bound.call('fork', () => this.#repo.fork(name, opts));
  }

  /** The runtime calls this when the last stub is gone. RPC callers cannot. */
  [Symbol.dispose](): void {
    this.#repo[Symbol.dispose]();
  }
}
