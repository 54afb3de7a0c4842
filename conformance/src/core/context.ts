import type { Dialect } from './dialect.ts';

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
  /** A seed for everything random in this case; the report has it, and a run can be given it. */
  readonly seed: number;

  /** A name that nobody else uses: the prefix of the run, then `word`, then a number. Fit for repos and namespaces. */
  name(word?: string): string;
  /** The namespace of this case: its name is new, and the first repo in it makes it. */
  readonly namespace: string;
  /** Sends a request of the control plane. */
  rest(method: string, path: string, options?: RestOptions): Promise<RestReply>;
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

  /** Ends the case as `unsupported`: what it tests is optional, and the service says that it has it not. */
  unsupported(evidence: string): never;
  /** Ends the case as `skipped`. */
  skip(reason: string): never;
}

export interface RestOptions {
  /** Sent as JSON; a string or bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
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
