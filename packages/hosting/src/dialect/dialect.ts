import type { ErrorDialect } from '@packhouse/problem-details';

/**
 * All constants of the wire that bear a platform's name, and the few rules of only one dialect, as data (REPO-001,
 * REPO-002, REPO-012 to REPO-025). A deployment may pass a copy of one of the two with other members (REPO-004). No code
 * asks which dialect is active.
 */
export interface Dialect {
  /** Its name in settings and messages. */
  readonly name: string;
  /** Ends with the version segment (REPO-012). */
  readonly basePath: string;
  /** Follows the account id (REPO-013). */
  readonly serviceSegment: string;
  /** Names of the permissions that the `authorize` port answers (REPO-014). */
  readonly permissions: { readonly read: string; readonly edit: string };
  /** Lower case (REPO-015). */
  readonly requestIdHeader: string;
  /** Template of `documentation_url`, with `{docs_base}` and `{code}` (REPO-016). */
  readonly errorDocumentation: string;
  /** True if errors of tagging have a `documentation_url` (TAG-024). */
  readonly linksTagErrors: boolean;
  /** True if `/` and the addresses of repositories are pages for people (REPO-210). */
  readonly pages: boolean;
  /** Prefix of the member `source` of a fork (REPO-017). */
  readonly forkSourcePrefix: string;
  /** Prefix of event types (REPO-018). */
  readonly eventTypePrefix: string;
  /** Source types of events: about the account, about one repo (REPO-019). */
  readonly eventSources: { readonly account: string; readonly repo: string };
  /** Prefix of the secret of a repo token (REPO-020). */
  readonly tokenPrefix: string;
  /** True if Git says that a credential is not a repo token, if its form shows that (GIT-185). */
  readonly explainsForeignTokens: boolean;
  /** Realm of the 401 reply on Git routes (REPO-021). */
  readonly realm: string;
  /** Git server agent, with `{version}` (REPO-022). */
  readonly agent: string;
  /** Default of the `remote_template` setting, and the one used when `git_origin` is a loopback host (REPO-023). */
  readonly remoteTemplate: string;
  readonly loopbackRemoteTemplate: string;
  /** True if a remote is also served without its `.git` (GIT-186). */
  readonly suffixOptional: boolean;
  /** True if the log of a ref that does not resolve is an error (REPO-220); otherwise it is an empty list (REPO-143). */
  readonly refusesUnresolvedLog: boolean;
  /** Key of the binding list in the runtime configuration (REPO-024). */
  readonly bindingKey: string;
  /** Class name of binding errors (REPO-025). */
  readonly bindingErrorName: string;
  /** Constants of platform errors (ERR-003 to ERR-008). */
  readonly errors: ErrorDialect;
}

/** One entry of the list of bindings (BIND-001). */
export interface BindingEntry {
  /** The name on `env`. */
  readonly binding: string;
  readonly namespace: string;
  /** For development: true if it calls the deployed service (BIND-006). Deployed code ignores it. */
  readonly remote?: boolean;
}
