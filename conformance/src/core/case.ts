import type { Context } from './context.ts';

export type Level = 'MUST' | 'SHOULD' | 'MAY';

/**
 * What a case needs beyond a service, an account and its API token. A target that lacks it has the case skipped, with
 * the reason in the report.
 *
 * - `origin`: the service listens where other processes reach it (not only a fetch function).
 * - `git`: stock Git on this machine. Implies `origin`.
 * - `read token`: an API token that may only read the account (`CONFORMANCE_READ_TOKEN`).
 * - `other account`: a second account with its own API token (`CONFORMANCE_OTHER_ACCOUNT`).
 * - `settings`: a deployment started with {@link Case.settings}, which only a target that we start can give.
 * - `zone`: a hostname that serves platform errors (`--zone`).
 * - `zone id`: the id of a zone of the account, whose resources can be tagged (`--zone-id`).
 * - `binding`: a probe beside the runtime binding (`--binding-url`).
 * - `event sink`: a deployment that sends its events to a webhook sink of the suite (REPO-200); only a target that starts
 *   deployments with settings can have one. Cases share it.
 * - `import remote`: repositories that the service can import, and whose replies a case can change; only a target that we
 *   start can have them.
 * - `import url`: a public repository to import (`--import-url`).
 * - `maintenance`: a deployment that maintains what it stores, so that what no ref reaches is collected (GIT-127).
 * - `streaming`: bodies of requests go out as they are made, those of replies come in so, and a reply may come before its
 *   request has ended.
 */
export type Need =
  | 'origin'
  | 'git'
  | 'read token'
  | 'other account'
  | 'settings'
  | 'zone'
  | 'zone id'
  | 'binding'
  | 'event sink'
  | 'import remote'
  | 'import url'
  | 'maintenance'
  | 'streaming';

/** One thing that every deployment must show. */
export interface Case {
  /** Stable: lower-case words joined by `-`, folders by `/`, such as `git/http/methods`. */
  readonly id: string;
  /** Ids of the requirements that it proves, such as `GIT-003`. */
  readonly requirements: readonly string[];
  /** The strongest level among them. */
  readonly level: Level;
  /** The requirements go beyond what the public service is known to do: reported as `beyond` there, never as failure. */
  readonly beyond?: boolean;
  readonly needs?: readonly Need[];
  /** Settings of the deployment that the case needs, by their names in the specification. Cases with equal ones share a deployment. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** One sentence for who reads the report: what a conforming service does. */
  readonly explanation: string;
  /** Passes by returning. Throws an assertion error for a failure; see {@link Context} for `unsupported` and `skip`. */
  run(t: Context): Promise<void>;
}

/** A file of cases. Ids begin with the name of the suite and a slash. */
export type Suite = readonly Case[];

/** Declares cases; only checks the type. */
export function suite(...cases: readonly Case[]): Suite {
  return cases;
}
