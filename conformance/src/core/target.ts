import type { Area } from './area.ts';
import type { Need } from './case.ts';
import type { Dialect } from './dialect.ts';
import type { EventSink } from './event-sink.ts';
import type { ImportRemote } from './import-remote.ts';
import type { Operation } from './operations.ts';

/** Repositories of a Git server that no control plane makes. */
export interface GitServer {
  /**
   * The URL of a repository. With `{name}` in it, each case has its own repository, which the server makes when it
   * is asked for. Without, there is one repository: cases run in turn, and delete their refs.
   */
  readonly url: string;
  /** The value of `Authorization`. Default: none. */
  readonly authorization?: string;
}

/** A deployment that cases run against. */
export interface Target {
  /** The name in reports, such as the URL, or `workerd, cloudflare`. */
  readonly name: string;
  /** URL of the service, without a slash at its end: an origin, perhaps with the path of the service there (REPO-216). */
  readonly origin: string;
  readonly dialect: Dialect['name'];
  readonly account: string;
  readonly apiToken: string;
  readonly readToken?: string;
  readonly other?: { readonly account: string; readonly apiToken: string };
  /** Origin of a hostname that serves platform errors, such as `https://www.example.com`. */
  readonly zone?: string;
  /** Id of a zone of the account, whose resources the API token may tag. */
  readonly zoneId?: string;
  /** A probe next to the binding (`@packhouse/conformance/binding-probe`), and its secret. */
  readonly binding?: { readonly url: string; readonly secret: string };
  /** The sink that receives its events. Present if the deployment was started with it. */
  readonly eventSink?: EventSink;
  /** Repositories whose host the service trusts, for imports. */
  readonly importRemote?: ImportRemote;
  /** The URL of a small repository on a public host, for imports. */
  readonly importUrl?: string;
  /** The areas that it has. Cases of others are skipped. Default: all. */
  readonly areas?: readonly Area[];
  /**
   * Operations of the control plane that it has not, and `git` if its repos are not served, with the evidence. A case
   * that uses one is unsupported. Default: none.
   */
  readonly missing?: ReadonlyMap<Operation | 'git', string>;
  /** The Git server in place of a control plane: `createRepo` then takes its repositories. */
  readonly git?: GitServer;
  /** True if nothing may be changed: only cases that read run, and `git` is a repository that exists. Default: false. */
  readonly readOnly?: boolean;
  /** Its settings, as far as known, by their names in the specification. Default: nothing. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Sends requests. Default: the global `fetch`. With another function and without `listens`, other processes cannot
   * reach the service. A function that cannot send a request throws `Skipped`, which ends the case as `skipped` with
   * the message as reason.
   */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** True if other processes can reach `origin`. Default: true if `fetch` is absent. */
  readonly listens?: boolean;
  /**
   * Features that this target lacks: for mocks, and for targets behind something that cannot send every request.
   * Default: none.
   */
  readonly lacks?: readonly Extract<Need, 'event sink' | 'maintenance' | 'streaming'>[];
  /** Starts or finds a deployment with these settings. Absent: the settings of the target are fixed. */
  readonly configured?: (settings: Readonly<Record<string, unknown>>) => Promise<Target>;
  /** Stops a deployment that `configured` started, and deletes its data. Called after its last case. */
  readonly close?: () => Promise<void>;
  /** True for the public service, where requirements marked `(beyond)` are not expected. Default: false. */
  readonly publicService?: boolean;
}
