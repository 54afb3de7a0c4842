import { parseWebhookSecret } from './webhook-secret.ts';
import { webhookUrlProblem } from './webhook-url.ts';
import {
  accountIdForm,
  boolean,
  faceRules,
  integer,
  isAccountId,
  isTexts,
  rate,
  setting,
  string,
  type SettingRule,
} from '@packhouse/base';
import { nameMax } from '../names/name-max.ts';

const mebi = 1_048_576;
const gibi = 1024 * mebi;
const tebi = 1024 * gibi;
const pebi = 1024 * tebi;
/** Seconds. */
const year = 31_536_000;
/** A token of such a life still ends at a time that can be written (RFC 3339). */
const century = 100 * year;
/** More rows a page than this would make replies of many megabytes. */
const pageMax = 1000;
/** A ref or what refs begin with; all of `refs/` would hide the whole repository (GIT-129). */
const hiddenPrefix = /^refs(\/[^/\s]+)+\/?$/;

/**
 * A host name or an address of IPv4, or one of IPv6, with or without brackets. No `*`, which would fit no host. An address of
 * IPv6 has two colons: one alone is before a port.
 */
const hostForm = /^(?:[^\s/:?#@*[\]]+|\[?[0-9a-fA-F.]*:[0-9a-fA-F.]*:[0-9a-fA-F:.]*\]?)$/;

/**
 * Every setting of `repositories.md` and `git.md`, and those of `errors.md` that a whole service has, under the names of
 * the specification (those without a name there have one of the same style). Sizes are bytes, times seconds.
 */
export const settingRules = {
  accounts: setting<readonly string[] | 'any'>({
    text: 'The accounts served, a list of ids; "any" serves whatever account a token names (REPO-038).',
    schema: {
      anyOf: [
        { const: 'any' },
        { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', pattern: `^${accountIdForm}$` } },
      ],
    },
    default: ['local'],
    check: (value) =>
      value === 'any' || (isTexts(value) && value.length > 0 && value.every(isAccountId) && unique(value))
        ? undefined
        : 'must be "any" or a list of different account ids: 1 to 64 characters of A-Z a-z 0-9 _ - (REPO-038)',
  }),
  public_url: string(
    'URL that clients reach the service at: an origin, with a path where an app mounts the service; --public-url wins over it (REPO-023, REPO-216).',
    'http://127.0.0.1:8787',
  ),
  git_origin: string('Origin of the remotes of repos. Default: public_url (REPO-023).', undefined),
  git_host: string(
    'Host name in remotes of the dialect cloudflare. Default: the host of git_origin (REPO-023).',
    undefined,
  ),
  remote_template: string(
    'URL of a repo, with {namespace}, {repo}, {account_id}, {git_origin} and {git_host}; https, http for a loopback host alone (REPO-026).',
    undefined,
  ),
  ...faceRules,
  jurisdictions: setting<readonly string[]>({
    text: 'Jurisdictions that a namespace may be made in (REPO-101).',
    schema: { type: 'array', minItems: 1, uniqueItems: true, items: { enum: ['unrestricted', 'eu', 'us'] } },
    default: ['unrestricted', 'eu', 'us'],
    check: (value) =>
      isTexts(value) && value.includes('unrestricted') && unique(value) && value.every((one) => jurisdictions.has(one))
        ? undefined
        : 'must be a list of unrestricted, eu, us that holds unrestricted (REPO-101, REPO-102)',
  }),

  rate_rest: rate('REST requests to one namespace: so many requests in so many seconds (LIM-001).', 2000, 10),
  repos_page_default: integer('Rows in a page of repos unless the request says otherwise (LIM-002).', 50, 1, pageMax),
  repos_page_max: integer('Most rows in a page of repos (LIM-002).', 200, 1, pageMax),
  namespaces_page_default: integer(
    'Rows in a page of namespaces unless the request says otherwise (LIM-003).',
    100,
    1,
    pageMax,
  ),
  namespaces_page_max: integer('Most rows in a page of namespaces (LIM-003).', 200, 1, pageMax),
  log_page_default: integer('Commits in a log unless the request says otherwise (LIM-004).', 50, 1, pageMax),
  log_page_max: integer('Most commits in a log; a request for more gets so many (LIM-004).', 1000, 1, pageMax),
  namespace_name_min: integer('Shortest name of a namespace, in characters (LIM-005).', 2, 1, nameMax),
  namespace_name_max: integer('Longest name of a namespace, in characters (LIM-005).', 63, 1, nameMax),
  repo_name_max: integer('Longest name of a repo, in characters (LIM-006).', 512, 1, nameMax),
  description_max: integer('Longest description of a repo, in characters (LIM-007).', 1024, 1, 65_536),
  token_ttl_min: integer('Shortest life of a repo token, in seconds (LIM-010).', 60, 1, century),
  token_ttl_max: integer('Longest life of a repo token, in seconds (LIM-010).', 31_536_000, 1, century),
  token_ttl_default: integer(
    'Life of a repo token unless the request says otherwise, in seconds (LIM-010).',
    86_400,
    1,
    century,
  ),
  token_history: integer(
    'How many ended tokens of a repo, and ended API tokens of an account, stay listed (LIM-011).',
    100,
    0,
    10_000,
  ),
  api_tokens_max: integer('Most API tokens of an account that are active at once (LIM-095).', 1000, 0, 100_000),
  api_token_ttl_max: integer('Longest life of a stored API token, in seconds (LIM-096).', year, 1, century),
  api_token_ttl_default: integer(
    'Life of a stored API token unless the request says otherwise, in seconds (LIM-096).',
    2_592_000,
    1,
    century,
  ),
  account_storage_max: integer('Storage of all repos of one account, in bytes (LIM-012).', 1024 * 1024 * mebi, 0, pebi),
  sync_wait: integer(
    'How long the reply to a fork or an import waits for the end of the work, in seconds (LIM-014).',
    30,
    0,
    3600,
  ),
  import_timeout: integer('How long an import may take, in seconds (LIM-014).', 900, 1, 86_400),
  imports_max: integer(
    'Most imports that one process carries out at once; the others wait. On Workers it counts for nothing.',
    8,
    1,
    10_000,
  ),
  import_allow: hosts(
    'Hosts that imports may reach although their addresses are not public (REPO-129).',
    'git.internal.example (REPO-129)',
  ),
  webhook_url: setting<string | null>({
    text: 'URL that events are sent to, https; null for none (REPO-200).',
    schema: { type: ['string', 'null'], format: 'uri' },
    default: null,
    // Paths of some sinks are as good as a password.
    isSecret: true,
    // The setting `webhook_allow` decides if a host may have plain HTTP.
    check: (value) =>
      value === null ? undefined : webhookUrlProblem(typeof value === 'string' ? value : '', hostOf(value)),
  }),
  webhook_secrets: setting<readonly string[]>({
    text: 'Secrets that events are signed with, the newest first, such as whsec_... (REPO-200).',
    schema: { type: 'array', maxItems: 10, items: { type: 'string', pattern: '^whsec_[A-Za-z0-9+/]{32,88}={0,2}$' } },
    default: [],
    isSecret: true,
    check: (value) =>
      isTexts(value) && value.length <= 10 && value.every((one) => parseWebhookSecret(one) !== undefined)
        ? undefined
        : 'must be a list of at most 10 secrets, each whsec_ and the base64 of 24 to 64 bytes (REPO-200)',
  }),
  webhook_allow: hosts(
    'Hosts that events may be sent to although their addresses are not public (REPO-201).',
    'hooks.internal.example (REPO-201)',
  ),
  user_webhook_allow: hosts(
    'Hosts that webhooks of users may send to although their addresses are not public (REPO-378).',
    'hooks.internal.example (REPO-378)',
  ),
  events_retry: integer(
    'How long an event that cannot be delivered is tried again, in seconds (REPO-201).',
    259_200,
    86_400,
    year,
  ),
  events_kept: integer(
    'How long events stay readable for events tail when they were delivered, in seconds. Above 0, they are recorded also without webhook_url.',
    0,
    0,
    year,
  ),
  delete_memory: integer('How long the name of a deleted repo is remembered, in seconds (LIM-015).', 600, 0, year),
  search_max: integer('Longest search text of a list, in characters (LIM-016).', 512, 1, nameMax),
  tokens_page_default: integer('Rows in a page of tokens unless the request says otherwise (LIM-017).', 30, 1, pageMax),
  tokens_page_max: integer('Most rows in a page of tokens (LIM-017).', 100, 1, pageMax),

  cors_origins: setting<readonly string[]>({
    text: 'Origins whose pages may use Git, REST and tags, such as https://app.example (GIT-019, REPO-301).',
    schema: { type: 'array', items: { type: 'string' } },
    default: [],
    check: (value) =>
      isTexts(value) && value.every(isOrigin) ? undefined : 'must be a list of origins such as https://app.example',
  }),
  deny_non_fast_forward: boolean('Whether a push that is no fast-forward of a branch is refused (GIT-126).', false),
  deny_delete_default: boolean('Whether a push that deletes the default branch is refused (GIT-126).', false),
  hidden_refs: setting<readonly string[]>({
    text: 'Prefixes of refs that no client sees or pushes to, such as refs/internal/ (GIT-129).',
    schema: { type: 'array', items: { type: 'string', pattern: hiddenPrefix.source } },
    default: [],
    check: (value) =>
      isTexts(value) && value.every((prefix) => hiddenPrefix.test(prefix))
        ? undefined
        : 'must be a list of prefixes below refs/, such as refs/internal/ (GIT-129)',
  }),
  strict_objects: boolean('Whether pushed objects are also held to the strict rules of git fsck (GIT-146).', true),
  repo_storage_max: integer('Storage of one repo, in bytes (LIM-050).', 1024 * mebi, 0, pebi),
  blob_max: integer('Largest file (blob) that may be pushed, in bytes (LIM-051).', 32 * mebi, 1, gibi),
  commit_body_max: integer('Largest body of a commit over REST, in bytes (LIM-026).', 64 * mebi, 1, gibi),
  push_body_max: integer('Largest body of one push, in bytes (LIM-052).', 1024 * mebi, 1, tebi),
  rate_git: rate('Git requests to one repo: so many requests in so many seconds (LIM-053).', 2000, 10),
  push_commands_max: integer('Most refs that one push may update (LIM-054).', 10_000, 1, 1_000_000),
  object_max: integer('Largest tree (folder) that may be pushed, in bytes (LIM-056).', 32 * mebi, 1, gibi),
  fetch_body_max: integer('Largest body of one request of a fetch, in bytes (LIM-057).', 16 * mebi, 1, gibi),
  push_options_max: integer('Most options of one push (LIM-058).', 64, 0, 10_000),
  push_option_bytes_max: integer('Longest option of a push, in bytes (LIM-058).', 1024, 1, 65_515),
  request_memory_max: integer(
    'Memory that one request may need, in bytes, beside the largest object in work (LIM-059).',
    192 * mebi,
    1,
    tebi,
  ),
  delta_depth_max: integer('Longest chain of deltas that is accepted, in deltas (LIM-062).', 4095, 1, 65_535),
  commit_max: integer('Largest commit or tag that may be pushed, in bytes (LIM-066).', mebi, 1, gibi),
  commit_parents_max: integer('Most parents of a pushed commit (LIM-067).', 1024, 1, 1_000_000),
  push_inflated_max: integer(
    'Bytes that any push may inflate and make of deltas; a push may also make 256 for each byte sent (LIM-068).',
    4 * gibi,
    1,
    pebi,
  ),
  delta_chain_max: integer(
    'Bytes that reading one object through its chain of deltas may make (LIM-069).',
    2 * gibi,
    1,
    pebi,
  ),
  push_graph_max: integer(
    'History that any push may add, in bytes; a push may also add 4 bytes for each byte sent (LIM-070).',
    16 * mebi,
    1,
    tebi,
  ),
  keep_alive: integer(
    'Silence of a running fetch or push after which a keep-alive is sent, in seconds (LIM-063).',
    5,
    1,
    3600,
  ),
  gc_grace: integer(
    'Age of unreachable objects before a collection may take them, in seconds (LIM-064).',
    86_400,
    1,
    10 * year,
  ),
  stale_want_grace: integer(
    'How long a ref that has moved may still be fetched at its old commit, in seconds (LIM-065).',
    600,
    0,
    year,
  ),

  error_route: boolean('Whether /cdn-cgi/error/{code} shows the platform error of a code (ERR-099).', true),
  trust_ray_header: boolean(
    'Whether platform errors take over a ray id that the request has in its header (ERR-086).',
    false,
  ),
  markdown_guidance_member: setting<boolean | undefined>(
    boolean(
      'Whether the frontmatter of platform errors holds what_you_should_do. Default: in the dialect neutral, not in cloudflare (ERR-055).',
      undefined,
    ),
  ),
} satisfies Record<string, SettingRule>;

const jurisdictions: ReadonlySet<string> = new Set(['unrestricted', 'eu', 'us']);

function hosts(text: string, example: string): SettingRule<readonly string[]> {
  return {
    text,
    schema: { type: 'array', items: { type: 'string', pattern: hostForm.source } },
    default: [],
    check: (value) =>
      isTexts(value) && value.every((host) => hostForm.test(host))
        ? undefined
        : `must be a list of host names or addresses without a port, such as ${example}`,
  };
}

function hostOf(url: unknown): readonly string[] {
  return typeof url === 'string' && URL.canParse(url) ? [new URL(url).hostname] : [];
}

function unique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
