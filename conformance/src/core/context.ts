import type { Binding } from './binding.ts';
import type { Dialect } from './dialect.ts';
import type { EventSink } from './event-sink.ts';
import type { ImportRemote } from './import-remote.ts';

/** What one running case works with. Everything that it makes is removed when it ends, however it ends. */
export interface Context {
  readonly dialect: Dialect;
  readonly account: string;
  /** Origin of the REST API, without a trailing slash. */
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
  /** The runtime binding of a namespace that no other case uses meanwhile. Present if the case needs `binding`. */
  binding(): Binding;
  /** Where the deployment sends its events. Present if the case needs `event sink`. */
  readonly eventSink: EventSink;
  /** Repositories that the service can import. Present if the case needs `import remote`. */
  readonly importRemote: ImportRemote;
  /** URL of a repository that the service can import. Present if the case needs `import url`. */
  readonly importUrl: string;
  /** A seed for everything random in this case; the report has it, and a run can be given it. */
  readonly seed: number;

  /** A name that nobody else uses: the prefix of the run, then `word`, then a number. Fit for repos and namespaces. */
  name(word?: string): string;
  /** The namespace of this case: its name is new, and the first repo in it makes it. */
  readonly namespace: string;
  /** Sends a request of the control plane. */
  rest(method: string, path: string, options?: RestOptions): Promise<RestReply>;
  /** Sends a request of tagging; `path` is one below the account or the zone, such as `/tags/keys`. */
  tags(method: string, path: string, options?: TagsOptions): Promise<RestReply>;
  /** Gives a resource these tags and no others; gives the object of the reply. @throws {NotDone} unless that is 200; {Skipped} if the zone knows which ids of the type there are. */
  setTags(
    resource: TagIdentity,
    tags: Readonly<Record<string, string>>,
    options?: Pick<TagsOptions, 'at' | 'token'>,
  ): Promise<TaggedResource>;
  /** Makes a repo over REST in `namespace`. @throws if that is not answered 201. */
  createRepo(options?: CreateRepoOptions): Promise<TestRepo>;
  /** Mints a token of a repo. */
  mintToken(repo: TestRepo, options?: { readonly scope?: 'read' | 'write'; readonly ttl?: number }): Promise<string>;
  /** Sends anything anywhere on the target, as `fetch` does. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Says that a namespace or repo which the case made by hand is to be removed at its end. */
  removeLater(path: string): void;

  /** A new, empty folder of this case. */
  folder(): Promise<string>;
  /** Runs stock `git`, in a new folder unless told where. @throws with what it wrote if it fails. */
  git(args: readonly string[], options?: GitOptions): Promise<string>;
  /** Runs stock `git`; never throws for its exit status. */
  tryGit(args: readonly string[], options?: GitOptions): Promise<GitResult>;

  /** Says what was found where several things are right: a report shows it with a case that passes. */
  note(found: string): void;
  /** Ends the case as `unsupported`: what it tests is optional, and the service says that it has it not. */
  unsupported(evidence: string): never;
  /** Ends the case as `skipped`. */
  skip(reason: string): never;
}

export interface RestOptions {
  /** Sent as JSON; a string or bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends a body of bytes without a `Content-Type`. */
  readonly untyped?: boolean;
  /** Default: the API token; `null`: none. */
  readonly token?: string | null;
  /** Default: {@link Context.base}. */
  readonly base?: string;
}

export interface RestReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is none. */
  // A case knows which shape it asked for, and asserts it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

export interface TagsOptions extends Omit<RestOptions, 'base'> {
  /** Below what the path stands. Default `account`. `zone`: that of the context. One of another name needs a token. */
  readonly at?: 'account' | 'zone' | { readonly account: string } | { readonly zone: string };
  /** Whether a reply 429 is waited out and the request sent again. Default true; false where a case tests the rate. */
  readonly waits?: boolean;
  /** Sends the path as it stands, in Latin-1, where a URL would change it. No body. The case needs `origin`. */
  readonly raw?: boolean;
}

/** Names a resource as the requests of tagging do; one of a zone also needs `at` of {@link TagsOptions}. */
export interface TagIdentity {
  readonly resource_type: string;
  /** Made of {@link Context.name}, but for what there is only one of: the records of a case are removed by it. */
  readonly resource_id: string;
  readonly worker_id?: string;
  readonly access_application_id?: string;
}

/** A tagged resource as replies show it. */
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

/** A repo that a case made. */
export interface TestRepo {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly remote: string;
  readonly token: string;
  /** That of the context. */
  readonly fetch: Context['fetch'];
  /** Arguments for stock `git` that carry the token. */
  readonly auth: readonly string[];
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
