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
  text,
  type SettingRule,
} from '@packhouse/base';
import { tagRules } from '@packhouse/tagging';
import { nameMax } from '../names/name-max.ts';
import type { Settings } from './settings.ts';

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

/** A host name or an address of IPv4, or one of IPv6, with or without brackets. No `*`, which would fit no host. */
const hostForm = /^(?:[^\s/:?#@*[\]]+|\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*\]?)$/;

/** Every setting with its default (section 13 of `repositories.md`, section 12 of `git.md`, `tagging.md`, `errors.md`). */
export const settingRules: Readonly<Record<keyof Settings, SettingRule>> = {
  accounts: {
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
  },
  public_url: text('http://127.0.0.1:8787'),
  git_origin: text(undefined),
  git_host: text(undefined),
  remote_template: text(undefined),
  docs_base: faceRules.docs_base,
  site: faceRules.site,
  jurisdictions: {
    schema: { type: 'array', minItems: 1, uniqueItems: true, items: { enum: ['unrestricted', 'eu', 'us'] } },
    default: ['unrestricted', 'eu', 'us'],
    check: (value) =>
      isTexts(value) && value.includes('unrestricted') && unique(value) && value.every((one) => jurisdictions.has(one))
        ? undefined
        : 'must be a list of unrestricted, eu, us that holds unrestricted (REPO-101, REPO-102)',
  },

  rate_rest: rate(2000, 10),
  repos_page_default: integer(50, 1, pageMax),
  repos_page_max: integer(200, 1, pageMax),
  namespaces_page_default: integer(100, 1, pageMax),
  namespaces_page_max: integer(200, 1, pageMax),
  log_page_default: integer(50, 1, pageMax),
  log_page_max: integer(1000, 1, pageMax),
  namespace_name_min: integer(2, 1, nameMax),
  namespace_name_max: integer(63, 1, nameMax),
  repo_name_max: integer(512, 1, nameMax),
  description_max: integer(1024, 1, 65_536),
  rest_body_max: faceRules.rest_body_max,
  token_ttl_min: integer(60, 1, century),
  token_ttl_max: integer(31_536_000, 1, century),
  token_ttl_default: integer(86_400, 1, century),
  token_history: integer(100, 0, 10_000),
  account_storage_max: integer(1024 * 1024 * mebi, 0, pebi),
  sync_wait: integer(30, 0, 3600),
  import_timeout: integer(900, 1, 86_400),
  imports_max: integer(8, 1, 10_000),
  import_allow: hosts('git.internal.example (REPO-129)'),
  webhook_url: {
    schema: { type: ['string', 'null'], format: 'uri' },
    default: null,
    // Paths of some sinks are as good as a password.
    isSecret: true,
    // Whether a host may have plain HTTP is a question to `webhook_allow`.
    check: (value) =>
      value === null ? undefined : webhookUrlProblem(typeof value === 'string' ? value : '', hostOf(value)),
  },
  webhook_secrets: {
    schema: { type: 'array', maxItems: 10, items: { type: 'string', pattern: '^whsec_[A-Za-z0-9+/]{32,88}={0,2}$' } },
    default: [],
    isSecret: true,
    check: (value) =>
      isTexts(value) && value.length <= 10 && value.every((one) => parseWebhookSecret(one) !== undefined)
        ? undefined
        : 'must be a list of at most 10 secrets, each whsec_ and the base64 of 24 to 64 bytes (REPO-200)',
  },
  webhook_allow: hosts('hooks.internal.example (REPO-201)'),
  events_retry: integer(259_200, 86_400, year),
  events_kept: integer(0, 0, year),
  delete_memory: integer(600, 0, year),
  search_max: integer(512, 1, nameMax),
  tokens_page_default: integer(30, 1, pageMax),
  tokens_page_max: integer(100, 1, pageMax),

  cors_origins: {
    schema: { type: 'array', items: { type: 'string' } },
    default: [],
    check: (value) =>
      isTexts(value) && value.every(isOrigin) ? undefined : 'must be a list of origins such as https://app.example',
  },
  deny_non_fast_forward: boolean(false),
  deny_delete_default: boolean(false),
  hidden_refs: {
    schema: { type: 'array', items: { type: 'string', pattern: hiddenPrefix.source } },
    default: [],
    check: (value) =>
      isTexts(value) && value.every((prefix) => hiddenPrefix.test(prefix))
        ? undefined
        : 'must be a list of prefixes below refs/, such as refs/internal/ (GIT-129)',
  },
  strict_objects: boolean(true),
  repo_storage_max: integer(1024 * mebi, 0, pebi),
  blob_max: integer(32 * mebi, 1, gibi),
  push_body_max: integer(1024 * mebi, 1, tebi),
  rate_git: rate(2000, 10),
  push_commands_max: integer(10_000, 1, 1_000_000),
  object_max: integer(32 * mebi, 1, gibi),
  fetch_body_max: integer(16 * mebi, 1, gibi),
  push_options_max: integer(64, 0, 10_000),
  push_option_bytes_max: integer(1024, 1, 65_515),
  request_memory_max: integer(64 * mebi, 1, tebi),
  delta_depth_max: integer(4095, 1, 65_535),
  commit_max: integer(mebi, 1, gibi),
  commit_parents_max: integer(1024, 1, 1_000_000),
  push_inflated_max: integer(4 * gibi, 1, pebi),
  delta_chain_max: integer(2 * gibi, 1, pebi),
  push_graph_max: integer(16 * mebi, 1, tebi),
  keep_alive: integer(5, 1, 3600),
  gc_grace: integer(86_400, 1, 10 * year),
  stale_want_grace: integer(600, 0, year),

  ...tagRules,

  error_route: boolean(true),
  trust_ray_header: boolean(false),
  markdown_guidance_member: boolean(undefined),
};

const jurisdictions: ReadonlySet<string> = new Set(['unrestricted', 'eu', 'us']);

function hosts(example: string): SettingRule {
  return {
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
