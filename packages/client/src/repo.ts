import { byCursor, byPage, bytesOf, optionsOf, pagesByCursor, resultOf } from './calls.ts';
import type { Rest } from './rest.ts';
import type { BodyOf, CallOptions, ItemOf, ListQueryOf, QueryOf, ResultOf } from './types.ts';

/** One repository. Lists are iterators that read one page at a time; files and archives are replies with streams. */
export interface Repo {
  info(call?: CallOptions): Promise<ResultOf<'getRepo'>>;
  /** Changes description, default branch, name or `read_only`. */
  update(changes: BodyOf<'updateRepo'>, call?: CallOptions): Promise<ResultOf<'updateRepo'>>;
  delete(call?: CallOptions): Promise<ResultOf<'deleteRepo'>>;
  fork(fork: BodyOf<'forkRepo'>, call?: CallOptions): Promise<ResultOf<'forkRepo'>>;
  /** Creates this repository from a public one elsewhere. */
  import(source: BodyOf<'importRepo'>, call?: CallOptions): Promise<ResultOf<'importRepo'>>;

  createToken(token?: Omit<BodyOf<'createToken'>, 'repo'>, call?: CallOptions): Promise<ResultOf<'createToken'>>;
  listTokens(query?: ListQueryOf<'listTokens'>, call?: CallOptions): AsyncGenerator<ItemOf<'listTokens'>, void>;
  revokeToken(id: string, call?: CallOptions): Promise<ResultOf<'revokeToken'>>;

  listRefs(query?: ListQueryOf<'listRefs'>, call?: CallOptions): AsyncGenerator<ItemOf<'listRefs'>, void>;
  /** @param name The full name, such as `refs/heads/main`. */
  ref(name: string, call?: CallOptions): Promise<ResultOf<'getRef'>>;
  setRef(name: string, change: BodyOf<'setRef'>, call?: CallOptions): Promise<ResultOf<'setRef'>>;
  deleteRef(name: string, query?: QueryOf<'deleteRef'>, call?: CallOptions): Promise<ResultOf<'deleteRef'>>;
  /** Moves several refs, all or none. */
  updateRefs(change: BodyOf<'updateRefs'>, call?: CallOptions): Promise<ResultOf<'updateRefs'>>;

  /**
   * Commits changes of files to a branch. Each call has a key, so it is also sent again after a lost reply.
   *
   * @param call `key`: a key of your own, for retries across calls (`Idempotency-Key`). Default: a new one.
   */
  commit(
    commit: BodyOf<'createCommit'>,
    call?: CallOptions & { readonly key?: string },
  ): Promise<ResultOf<'createCommit'>>;
  /** Stores the content of a file, for a commit that names its hash. It is sent once. */
  writeBlob(
    content: Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
    call?: CallOptions,
  ): Promise<ResultOf<'createBlob'>>;

  /** Merges a branch into another one, also from a fork or the parent. */
  merge(merge: BodyOf<'merge'>, call?: CallOptions): Promise<ResultOf<'merge'>>;
  cherryPick(pick: BodyOf<'cherryPick'>, call?: CallOptions): Promise<ResultOf<'cherryPick'>>;
  revert(revert: BodyOf<'revert'>, call?: CallOptions): Promise<ResultOf<'revert'>>;

  /** Lists the commits of one or several revisions, newest first. */
  log(query?: ListQueryOf<'listCommits'>, call?: CallOptions): AsyncGenerator<ItemOf<'listCommits'>, void>;
  /** With `include: 'changes'` the commit has the files that it changes. */
  readCommit(hash: string, query?: QueryOf<'getCommit'>, call?: CallOptions): Promise<ResultOf<'getCommit'>>;
  readTree(hash: string, call?: CallOptions): Promise<ResultOf<'getTree'>>;
  /** Lists a folder of a revision, with `recursive` everything below it. */
  listTree(query?: ListQueryOf<'listTree'>, call?: CallOptions): AsyncGenerator<ItemOf<'listTree'>, void>;
  readFiles(files: BodyOf<'readFiles'>, call?: CallOptions): Promise<ResultOf<'readFiles'>>;
  /** `base` and `head` may be of a fork or parent, such as `notes-try:main`. */
  compare(query: QueryOf<'compareCommits'>, call?: CallOptions): Promise<ResultOf<'compareCommits'>>;
  /** Yields pages, each with its `matches` and the number of files that were `skipped`. */
  search(query: ListQueryOf<'searchFiles'>, call?: CallOptions): AsyncGenerator<ResultOf<'searchFiles'>, void>;
  /** Compares in the same way. The body of the reply is a patch for `git apply`. */
  patch(query: QueryOf<'compareCommits'>, call?: CallOptions): Promise<Response>;
  readBlob(hash: string, call?: CallOptions): Promise<Response>;
  readFile(query: QueryOf<'getFile'>, call?: CallOptions): Promise<Response>;
  /** Reads a file with its media type, which never lets a browser run the content. */
  raw(ref: string, path: string, call?: CallOptions): Promise<Response>;
  /** @param archive A revision and a format, such as `main.tar.gz`. */
  archive(archive: string, query?: QueryOf<'getArchive'>, call?: CallOptions): Promise<Response>;
}

const base = '/namespaces/{namespace}/repos/{repo_name}';
const stream = { parseAs: 'stream' } as const;

/** Returns a random key. `randomUUID` is missing in pages without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function openRepo(rest: Rest, namespace: string, name: string): Repo {
  const path = { namespace, repo_name: name };
  const params = { path };
  // Without `refs/`, which the address has already.
  const refPath = (ref: string) => ({ ...path, ref_name: ref.replace(/^refs\//, '') });
  return {
    info: (call = {}) => resultOf(rest.GET(base, { params, ...optionsOf(call) })),
    update: (body, call = {}) => resultOf(rest.PATCH(base, { params, body, ...optionsOf(call) })),
    delete: (call = {}) => resultOf(rest.DELETE(base, { params, ...optionsOf(call) })),
    fork: (body, call = {}) => resultOf(rest.POST(`${base}/fork`, { params, body, ...optionsOf(call) })),
    import: (body, call = {}) => resultOf(rest.POST(`${base}/import`, { params, body, ...optionsOf(call) })),

    createToken: (token = {}, call = {}) =>
      resultOf(
        rest.POST('/namespaces/{namespace}/tokens', {
          params: { path: { namespace } },
          body: { ...token, repo: name },
          ...optionsOf(call),
        }),
      ),
    listTokens: (query = {}, call = {}) =>
      byPage((page) => rest.GET(`${base}/tokens`, { params: { path, query: { ...query, page } }, ...optionsOf(call) })),
    revokeToken: (id, call = {}) =>
      resultOf(
        rest.DELETE('/namespaces/{namespace}/tokens/{token_id}', {
          params: { path: { namespace, token_id: id } },
          ...optionsOf(call),
        }),
      ),

    listRefs: (query = {}, call = {}) =>
      byCursor((cursor) =>
        rest.GET(`${base}/refs`, { params: { path, query: { ...query, cursor } }, ...optionsOf(call) }),
      ),
    ref: (ref, call = {}) =>
      resultOf(rest.GET(`${base}/refs/{ref_name}`, { params: { path: refPath(ref) }, ...optionsOf(call) })),
    setRef: (ref, body, call = {}) =>
      resultOf(rest.PUT(`${base}/refs/{ref_name}`, { params: { path: refPath(ref) }, body, ...optionsOf(call) })),
    deleteRef: (ref, query = {}, call = {}) =>
      resultOf(rest.DELETE(`${base}/refs/{ref_name}`, { params: { path: refPath(ref), query }, ...optionsOf(call) })),
    updateRefs: (body, call = {}) => resultOf(rest.POST(`${base}/refs`, { params, body, ...optionsOf(call) })),

    commit: (body, { key = newKey(), ...call } = {}) =>
      resultOf(
        rest.POST(`${base}/commits`, {
          params: { path, header: { 'Idempotency-Key': key } },
          body,
          ...optionsOf(call),
        }),
      ),
    writeBlob: (content, call = {}) =>
      resultOf(
        rest.POST(`${base}/blobs`, {
          params,
          // The document has no type for bytes.
          body: content as unknown as string,
          bodySerializer: (bytes) => bytes,
          headers: { 'content-type': 'application/octet-stream' },
          ...(content instanceof ReadableStream && { duplex: 'half' }),
          ...optionsOf(call),
        }),
      ),

    merge: (body, call = {}) => resultOf(rest.POST(`${base}/merges`, { params, body, ...optionsOf(call) })),
    cherryPick: (body, call = {}) => resultOf(rest.POST(`${base}/cherry-picks`, { params, body, ...optionsOf(call) })),
    revert: (body, call = {}) => resultOf(rest.POST(`${base}/reverts`, { params, body, ...optionsOf(call) })),

    log: (query = {}, call = {}) =>
      byCursor((cursor) =>
        rest.GET(`${base}/log`, { params: { path, query: { ...query, cursor } }, ...optionsOf(call) }),
      ),
    readCommit: (hash, query = {}, call = {}) =>
      resultOf(rest.GET(`${base}/commit/{hash}`, { params: { path: { ...path, hash }, query }, ...optionsOf(call) })),
    readTree: (hash, call = {}) =>
      resultOf(rest.GET(`${base}/tree/{hash}`, { params: { path: { ...path, hash } }, ...optionsOf(call) })),
    listTree: (query = {}, call = {}) =>
      byCursor((cursor) =>
        rest.GET(`${base}/tree`, { params: { path, query: { ...query, cursor } }, ...optionsOf(call) }),
      ),
    readFiles: (body, call = {}) => resultOf(rest.POST(`${base}/files`, { params, body, ...optionsOf(call) })),
    compare: (query, call = {}) =>
      resultOf(rest.GET(`${base}/compare`, { params: { path, query }, ...optionsOf(call) })),
    search: (query, call = {}) =>
      pagesByCursor((cursor) =>
        rest.GET(`${base}/search`, { params: { path, query: { ...query, cursor } }, ...optionsOf(call) }),
      ),
    patch: (query, call = {}) =>
      bytesOf(
        rest.GET(`${base}/compare`, {
          params: { path, query },
          headers: { accept: 'text/x-diff' },
          ...stream,
          ...optionsOf(call),
        }),
      ),
    readBlob: (hash, call = {}) =>
      bytesOf(rest.GET(`${base}/blob/{hash}`, { params: { path: { ...path, hash } }, ...stream, ...optionsOf(call) })),
    readFile: (query, call = {}) =>
      bytesOf(rest.GET(`${base}/file`, { params: { path, query }, ...stream, ...optionsOf(call) })),
    raw: (ref, file, call = {}) =>
      bytesOf(
        rest.GET(`${base}/raw/{ref}/{path}`, {
          params: { path: { ...path, ref, path: file } },
          ...stream,
          ...optionsOf(call),
        }),
      ),
    archive: (archive, query = {}, call = {}) =>
      bytesOf(
        rest.GET(`${base}/archive/{archive}`, {
          params: { path: { ...path, archive }, query },
          ...stream,
          ...optionsOf(call),
        }),
      ),
  };
}
