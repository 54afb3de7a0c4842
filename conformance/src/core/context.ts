import type { Binding } from './binding.ts';
import type { Dialect } from './dialect.ts';
import type { EventSink } from './event-sink.ts';
import type { ImportRemote } from './import-remote.ts';

/** The tools of one running case. Everything that it creates is removed at its end, also after a failure. */
export interface Context {
  readonly dialect: Dialect;
  readonly account: string;
  /** The same as in the target. */
  readonly origin: string;
  /** Base of the account's routes: `{origin}{base path}/accounts/{account}/{service segment}`. */
  readonly base: string;
  readonly apiToken: string;
  /** Present if the case needs `read token`. */
  readonly readToken: string;
  /** Present if the case needs `other account`. */
  readonly other: { readonly account: string; readonly apiToken: string };
  /** Origin of a hostname that serves platform errors. Present if the case needs `zone`. */
  readonly zone: string;
  /** Id of a zone of the account. Present if the case needs `zone id`. */
  readonly zoneId: string;
  /**
   * Returns the runtime binding of a namespace that no other case uses meanwhile. Present if the case needs `binding`.
   */
  binding(): Binding;
  /** The sink that receives the events of the deployment. Present if the case needs `event sink`. */
  readonly eventSink: EventSink;
  /** Repositories that the service can import. Present if the case needs `import remote`. */
  readonly importRemote: ImportRemote;
  /** URL of a repository that the service can import. Present if the case needs `import url`. */
  readonly importUrl: string;
  /** The seed of everything random in this case. The report has it, and a run accepts it as an option. */
  readonly seed: number;
  /** How many times as many random inputs as usual properties try. Default: 1. */
  readonly runs?: number;

  /** Returns an unused name for a repo or namespace: the prefix of the run, then `word`, then a number. */
  name(word?: string): string;
  /** The namespace of this case. Its name is new; creating the first repo in it creates it. */
  readonly namespace: string;
  /** Sends a request to the control plane. */
  rest(method: string, path: string, options?: RestOptions): Promise<RestReply>;
  /** Sends a tagging request. `path` is below the account or the zone, such as `/tags/keys`. */
  tags(method: string, path: string, options?: TagsOptions): Promise<RestReply>;
  /**
   * Replaces the tags of a resource, and returns the resource of the reply.
   *
   * @throws {NotDone} unless the reply is 200, {Skipped} if the zone accepts only known ids of this type.
   */
  setTags(
    resource: TagIdentity,
    tags: Readonly<Record<string, string>>,
    options?: Pick<TagsOptions, 'at' | 'token'>,
  ): Promise<TaggedResource>;
  /**
   * Returns what `make` returned for this deployment, and calls it if no case did so far. What it makes is removed at the
   * end of the run, so cases only read it. For things that need many requests.
   *
   * @throws the error of `make`, in every case that asks for it.
   */
  shared<T>(name: string, make: (t: Context) => Promise<T>): Promise<T>;
  /**
   * Creates a repo over REST in `namespace`; on a target that is a Git server, takes an empty one of it.
   *
   * @throws unless the reply is 201.
   */
  createRepo(options?: CreateRepoOptions): Promise<TestRepo>;
  /** A repository that exists already. Present if the case needs `repo to read`. */
  readonly existing: TestRepo;
  /** Returns the record of a repo, for comparisons; undefined on a target that is a Git server. */
  record(repo: TestRepo): Promise<unknown>;
  /** Creates a token of a repo. */
  mintToken(repo: TestRepo, options?: { readonly scope?: 'read' | 'write'; readonly ttl?: number }): Promise<string>;
  /** Sends any request to the target, as `fetch` does. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Registers a namespace or repo that the case created by hand, to be removed at the end. */
  removeLater(path: string): void;

  /** Creates a new, empty folder for this case. */
  folder(): Promise<string>;
  /**
   * Runs stock `git`, by default in a new folder.
   *
   * @throws with its output if it fails.
   */
  git(args: readonly string[], options?: GitOptions): Promise<string>;
  /** Runs stock `git`. Never throws for its exit status. */
  tryGit(args: readonly string[], options?: GitOptions): Promise<GitResult>;

  /** Records what the case found where several answers are right. The report shows it with a case that passes. */
  note(found: string): void;
  /** Ends the case as `unsupported`: the feature is optional, and the service says that it does not have it. */
  unsupported(evidence: string): never;
  /** Ends the case as `skipped`. */
  skip(reason: string): never;
}

export interface RestOptions {
  /** Sent as JSON; a string or bytes are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** True to send bytes without a `Content-Type`. */
  readonly untyped?: boolean;
  /** Default: the API token. `null`: no token. */
  readonly token?: string | null;
  /** Default: {@link Context.base}. */
  readonly base?: string;
  /** True to wait and retry after status 429. Default: true, but on REST false in cases with `settings`. */
  readonly waits?: boolean;
}

export interface RestReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  // A case knows which shape it asked for, and asserts it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

export interface TagsOptions extends Omit<RestOptions, 'base'> {
  /**
   * The base of the path. Default: `account`. `zone`: the zone of the context. Another account or zone needs a token.
   */
  readonly at?: 'account' | 'zone' | { readonly account: string } | { readonly zone: string };
  /**
   * True to send the path verbatim, in Latin-1, where a URL would change it. Without a body. The case needs `origin`.
   */
  readonly raw?: boolean;
}

/**
 * The members that name a resource in tagging requests. A resource of a zone also needs `at` of {@link TagsOptions}.
 */
export interface TagIdentity {
  readonly resource_type: string;
  /**
   * Made with {@link Context.name}, except for types with one resource only. The clean-up finds the records of a case
   * by it.
   */
  readonly resource_id: string;
  readonly worker_id?: string;
  readonly access_application_id?: string;
}

/** A tagged resource in a reply. */
export interface TaggedResource {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly zone_id?: string;
  readonly worker_id?: string;
  readonly access_application_id?: string;
  readonly tags_updated_at?: string;
}

export interface CreateRepoOptions {
  readonly name?: string;
  readonly namespace?: string;
  /** Further members of the request body. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A repo that a case created. */
export interface TestRepo {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly remote: string;
  readonly token: string;
  /** The `fetch` of the context. */
  readonly fetch: Context['fetch'];
  /** Arguments of stock `git` that carry the token. */
  readonly auth: readonly string[];
  /** True on a target that is a Git server. Its texts and reasons are its own. */
  readonly foreign?: boolean;
  /** True on a target that is a Git server without version 2. */
  readonly isOld?: boolean;
  /** The value of `Authorization` on a target that is a Git server; `null` if it wants none. */
  readonly authorization?: string | null;
}

export interface GitOptions {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

export interface GitResult {
  readonly status: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}
