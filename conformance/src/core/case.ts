import type { Context } from './context.ts';

export type Level = 'MUST' | 'SHOULD' | 'MAY';

/**
 * A need of a case beyond a service, an account and its API token. If a target lacks one, the case is skipped, with the
 * reason in the report.
 *
 * - `control plane`: for cases of Git, whose repos need no control plane otherwise: REST, tokens or settings of a repo.
 * - `fresh repo`: for cases of Git: a repository that no case used before, so that no object is stored in it.
 * - `repo to read`: a repository that exists already, and that cases only read (`--read-only` with `--git`).
 * - `origin`: other processes can reach the service (it is not only a fetch function).
 * - `git`: stock Git on this machine. Implies `origin`.
 * - `read token`: an API token that may only read the account (`CONFORMANCE_READ_TOKEN`).
 * - `other account`: a second account with its own API token (`CONFORMANCE_OTHER_ACCOUNT`).
 * - `settings`: a deployment with {@link Case.settings}: one that we start, or a target that declares them.
 * - `zone`: a hostname that serves platform errors (`--zone`).
 * - `zone id`: the id of a zone of the account, whose resources can be tagged (`--zone-id`).
 * - `binding`: a probe next to the runtime binding (`--binding-url`).
 * - `event sink`: a deployment that sends its events to a webhook sink of the suite (REPO-200), possible only for a
 *   target that starts deployments with settings. Cases share it.
 * - `import remote`: repositories that the service can import, and whose replies a case can change, possible only for a
 *   target that we start.
 * - `import url`: a public repository to import (`--import-url`).
 * - `maintenance`: a deployment that runs maintenance, so that unreachable objects are collected (GIT-127).
 * - `streaming`: bodies of requests and replies are streamed, and a reply may arrive before its request has ended.
 */
export type Need =
  | 'control plane'
  | 'fresh repo'
  | 'repo to read'
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

/** One behaviour that every deployment must show. */
export interface Case {
  /** Stable: lower-case words joined by `-`, folders by `/`, such as `git/http/methods`. */
  readonly id: string;
  /** Ids of the requirements that it checks, such as `GIT-003`. */
  readonly requirements: readonly string[];
  /** The strongest level among them. */
  readonly level: Level;
  /**
   * True if the requirements go beyond the known behaviour of the public service: its result there is `beyond`, never a
   * failure.
   */
  readonly beyond?: boolean;
  /** True for a case of Git that asks for more than Git's own documents. Other Git servers answer otherwise. */
  readonly own?: boolean;
  /** True if the case changes nothing, not even by requests that ought to be refused. */
  readonly readOnly?: boolean;
  readonly needs?: readonly Need[];
  /** True if it takes more than two seconds on a quiet machine, so that it begins early. Default: false. */
  readonly slow?: boolean;
  /**
   * The settings that the case depends on, by their names in the specification. Cases share deployments, which have
   * further settings (`sharedSettings`).
   */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** One sentence for the reader of the report: what a conforming service does. */
  readonly explanation: string;
  /**
   * Runs the case, which passes by returning. Throws an assertion error for a failure; see {@link Context} for
   * `unsupported` and `skip`.
   */
  run(t: Context): Promise<void>;
}

/** The cases of a file. Ids begin with the name of the suite and a slash. */
export type Suite = readonly Case[];

/** Declares cases. Returns them unchanged; only the types are checked. */
export function suite(...cases: readonly Case[]): Suite {
  return cases;
}
