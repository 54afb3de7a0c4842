/**
 * The binding as cases call it (docs/specification/binding.md). Arguments have any type, since cases pass wrong ones.
 */

import type {
  ShownCommit,
  ShownEntry,
  ShownMerge,
  ShownNewBlob,
  ShownNewCommit,
  ShownRef,
  ShownRefChange,
  ShownSearch,
} from './shown-content.ts';

/** The methods of a namespace. Each rejects with a `BindingFailure` if the binding rejects. */
export interface Binding {
  /** The namespace of the binding. No other case uses it meanwhile. */
  readonly namespace: string;
  create(name?: unknown, options?: unknown): Promise<CreatedRepo>;
  get(name?: unknown): Promise<BindingRepo>;
  import(params?: unknown): Promise<CreatedRepo>;
  list(options?: unknown): Promise<RepoList>;
  delete(name?: unknown): Promise<boolean>;
  /** Calls a method by any name, to check that it does not exist. */
  call(method: string, ...args: readonly unknown[]): Promise<unknown>;
}

/** The methods of a handle. */
export interface BindingRepo {
  info(): Promise<SeenDetails>;
  update(fields?: unknown): Promise<SeenDetails>;
  createToken(scope?: unknown, ttl?: unknown): Promise<CreatedToken>;
  listTokens(): Promise<{ readonly tokens: readonly SeenToken[]; readonly total: number }>;
  revokeToken(tokenOrId?: unknown): Promise<boolean>;
  readBlob(hash?: unknown): Promise<SeenBlob | null>;
  readTree(hash?: unknown): Promise<readonly ShownEntry[] | null>;
  readCommit(hash?: unknown, opts?: unknown): Promise<ShownCommit | null>;
  readFile(options?: unknown): Promise<SeenBlob | null>;
  log(options?: unknown): Promise<readonly ShownCommit[]>;
  readFiles(args?: unknown): Promise<unknown>;
  listTree(opts?: unknown): Promise<unknown>;
  commit(options: unknown): Promise<ShownNewCommit>;
  merge(options: unknown): Promise<ShownMerge>;
  cherryPick(options: unknown): Promise<ShownMerge>;
  revert(options: unknown): Promise<ShownMerge>;
  writeBlob(content?: unknown): Promise<ShownNewBlob>;
  updateRefs(updates: unknown): Promise<readonly ShownRefChange[]>;
  listRefs(options?: unknown): Promise<{ readonly refs: readonly ShownRef[]; readonly cursor?: string }>;
  compare(args?: unknown): Promise<unknown>;
  /** The bytes of the stream. */
  archive(ref?: unknown, options?: unknown): Promise<Uint8Array | null>;
  search(q?: unknown, options?: unknown): Promise<ShownSearch & { readonly cursor?: string }>;
  fork(name?: unknown, options?: unknown): Promise<CreatedRepo>;
  /** `[Symbol.dispose]()`. */
  dispose(): Promise<void>;
  /** Begins a call, disposes of the handle, and returns the outcome of the call. */
  callThenDispose(method: string, ...args: readonly unknown[]): Promise<unknown>;
  call(method: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Returns the value of a member that is not a method; undefined if the member is absent. */
  property(name: string): Promise<unknown>;
}

export interface CreatedRepo {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly defaultBranch: string;
  readonly remote: string;
  readonly token: string;
}

export interface SeenRepo {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly defaultBranch: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastPushAt: string | null;
  readonly source: string | null;
  readonly readOnly: boolean;
  readonly remote: string;
}

/** A single repo (BIND-077). */
export interface SeenDetails extends SeenRepo {
  readonly size: number;
  readonly objectCount: number;
  readonly refCount: number;
}

export interface RepoList {
  readonly repos: readonly (Omit<SeenRepo, 'remote'> & { readonly status: string })[];
  readonly total: number;
  readonly cursor?: string;
}

export interface CreatedToken {
  readonly id: string;
  readonly plaintext: string;
  readonly scope: string;
  readonly expiresAt: string;
}

export interface SeenToken {
  readonly id: string;
  readonly scope: string;
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** A `Blob` that a call returned. */
export interface SeenBlob {
  readonly type: string;
  readonly size: number;
  /** Lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Absent above 1 MiB. */
  readonly bytes?: Uint8Array;
}
