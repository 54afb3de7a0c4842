import type { Dialect } from '../dialect/dialect.ts';
import { resolveByRules, SettingsError, type FaceSettings, type Rate } from '@packhouse/base';
import type { TagSettings } from '@packhouse/tagging';
import { webhookUrlProblem } from './webhook-url.ts';
import { settingRules } from './rules.ts';
import { completeOrigins } from './origins.ts';

/**
 * Every setting and limit of `repositories.md` and `git.md`, those of `tagging.md`, and those of `errors.md` that a whole service has, under
 * the names the specification gives them (those without a name there have one of the same style). Sizes are bytes,
 * times seconds.
 */
export interface Settings extends FaceSettings, TagSettings {
  /** Accounts this deployment serves; `any`: whatever name the authorizer and the storage know. */
  readonly accounts: readonly string[] | 'any';
  /** Origin that clients reach the REST API at. */
  readonly public_url: string;
  /** Origin for Git. Default: `public_url`. */
  readonly git_origin: string;
  /** Host of `remote_template` in some dialects. Default: the host of `git_origin`. */
  readonly git_host: string;
  /** URL of a repo, with `{account_id}`, `{namespace}`, `{repo}`, `{git_origin}`, `{git_host}` (REPO-023, REPO-026). */
  readonly remote_template: string;
  /** What documentation addresses begin with. Default: `/docs` of `public_url`, which the service answers (REPO-213). */
  readonly docs_base: string;
  /** Values of `jurisdiction` that are offered (REPO-101). */
  readonly jurisdictions: readonly string[];

  /** LIM-001. */
  readonly rate_rest: Rate;
  /** LIM-002. */
  readonly repos_page_default: number;
  readonly repos_page_max: number;
  /** LIM-003. */
  readonly namespaces_page_default: number;
  readonly namespaces_page_max: number;
  /** LIM-004. */
  readonly log_page_default: number;
  readonly log_page_max: number;
  /** LIM-005. */
  readonly namespace_name_min: number;
  readonly namespace_name_max: number;
  /** Characters (LIM-006). */
  readonly repo_name_max: number;
  /** Characters (LIM-007). */
  readonly description_max: number;
  /** LIM-010. */
  readonly token_ttl_min: number;
  readonly token_ttl_max: number;
  readonly token_ttl_default: number;
  /** Ended tokens kept per repo (LIM-011). */
  readonly token_history: number;
  /** LIM-012. */
  readonly account_storage_max: number;
  /** How long the reply to a fork or an import waits for the end of the work (LIM-014). */
  readonly sync_wait: number;
  /** How long an import may take (LIM-014). */
  readonly import_timeout: number;
  /** Imports that one process carries out at once; the others wait for their turn. */
  readonly imports_max: number;
  /** Hosts that imports may reach although their addresses are not public (REPO-129). */
  readonly import_allow: readonly string[];
  /** Where events are sent (REPO-200); null: nowhere. */
  readonly webhook_url: string | null;
  /** What they are signed with, each such as `whsec_...`, the newest first (REPO-200). */
  readonly webhook_secrets: readonly string[];
  /** Hosts that events may be sent to although their addresses are not public (REPO-201). */
  readonly webhook_allow: readonly string[];
  /** How long an event that cannot be delivered is tried again (REPO-201). */
  readonly events_retry: number;
  /** How long delivered events stay readable. */
  readonly events_kept: number;
  /** How long the name of a deleted repo is remembered (LIM-015). */
  readonly delete_memory: number;
  /** Characters (LIM-016). */
  readonly search_max: number;
  /** LIM-017. */
  readonly tokens_page_default: number;
  readonly tokens_page_max: number;

  /** Origins that Git clients in browsers may come from (GIT-019). */
  readonly cors_origins: readonly string[];
  /** GIT-126. */
  readonly deny_non_fast_forward: boolean;
  readonly deny_delete_default: boolean;
  /** Prefixes at component borders (GIT-129). */
  readonly hidden_refs: readonly string[];
  /** GIT-146, for pushes. */
  readonly strict_objects: boolean;
  /** LIM-050. */
  readonly repo_storage_max: number;
  /** LIM-051. */
  readonly blob_max: number;
  /** LIM-052. */
  readonly push_body_max: number;
  /** LIM-053. */
  readonly rate_git: Rate;
  /** LIM-054. */
  readonly push_commands_max: number;
  /** LIM-056. */
  readonly object_max: number;
  /** LIM-057. */
  readonly fetch_body_max: number;
  /** LIM-058. */
  readonly push_options_max: number;
  readonly push_option_bytes_max: number;
  /** LIM-059. */
  readonly request_memory_max: number;
  /** LIM-062. */
  readonly delta_depth_max: number;
  /** LIM-066. */
  readonly commit_max: number;
  /** LIM-067. */
  readonly commit_parents_max: number;
  /** LIM-068. */
  readonly push_inflated_max: number;
  /** LIM-069. */
  readonly delta_chain_max: number;
  /** LIM-070. */
  readonly push_graph_max: number;
  /** Silence before a keep-alive (LIM-063). */
  readonly keep_alive: number;
  /** LIM-064. */
  readonly gc_grace: number;
  /** LIM-065. */
  readonly stale_want_grace: number;

  /** Whether `/cdn-cgi/error/{code}` is served (ERR-099). */
  readonly error_route: boolean;
  /** Whether a ray id header of a request is taken over in platform errors (ERR-086). */
  readonly trust_ray_header: boolean;
  /** Whether the frontmatter of platform errors holds `what_you_should_do` (ERR-055). Default: as the dialect has it. */
  readonly markdown_guidance_member: boolean | undefined;
}

/**
 * Fills in the defaults and checks everything, once, at the start.
 *
 * @throws {SettingsError} naming the setting and the rule it breaks (REPO-026).
 */
export function resolveSettings(given: Partial<Settings>, dialect: Dialect): Settings {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(settingRules, name)) throw new SettingsError(name, 'is not a setting');
  }
  const settings = completeOrigins(resolveByRules(settingRules, given), dialect);
  checkOrder(settings);
  checkZones(settings);
  checkWebhook(settings);
  return Object.freeze(settings);
}

/** Nobody could reach the zone of an account that is not served. */
function checkZones({ zones, accounts }: Settings): void {
  if (accounts === 'any') return;
  const lost = Object.entries(zones).find(([, account]) => !accounts.includes(account));
  if (lost === undefined) return;
  const [zone, account] = lost;
  throw new SettingsError(
    'zones',
    `must not have the zone "${zone}" of the account "${account}", which is none of those served (TAG-018)`,
  );
}

/** Nobody could tell who sent an event that is not signed. */
function checkWebhook({ webhook_url: url, webhook_secrets: secrets, webhook_allow: allow }: Settings): void {
  if (url === null) return;
  const problem = webhookUrlProblem(url, allow);
  if (problem !== undefined) throw new SettingsError('webhook_url', problem);
  if (secrets.length > 0) return;
  throw new SettingsError('webhook_secrets', 'must have at least one secret where webhook_url is set (REPO-200)');
}

/** Limits that only make sense together. */
function checkOrder(settings: Settings): void {
  const pairs = [
    ['repos_page_default', 'repos_page_max'],
    ['namespaces_page_default', 'namespaces_page_max'],
    ['log_page_default', 'log_page_max'],
    ['tokens_page_default', 'tokens_page_max'],
    ['namespace_name_min', 'namespace_name_max'],
    ['token_ttl_min', 'token_ttl_default'],
    ['token_ttl_default', 'token_ttl_max'],
  ] as const;
  for (const [low, high] of pairs) {
    if (settings[low] > settings[high]) throw new SettingsError(low, `must not be above ${high} (${settings[high]})`);
  }
}
