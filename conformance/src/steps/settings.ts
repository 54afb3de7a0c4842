import { isDeepStrictEqual } from 'node:util';

/**
 * Settings for cases. A case names those that it depends on, by `only`, so that it runs against any deployment that has
 * these. The suite starts a deployment with a whole set, which many cases share.
 */

/** Limits far from their defaults. With `token_ttl_min`, a token expires while a case waits. */
export const tightSettings = {
  site: 'XYZ',
  docs_base: 'https://docs.test/kit',
  remote_template: '{git_origin}/code/{account_id}/{namespace}/{repo}.git',
  jurisdictions: ['unrestricted'],
  repo_name_max: 60,
  description_max: 20,
  rest_body_max: 1000,
  token_ttl_min: 1,
  token_history: 2,
  delete_memory: 1,
  sync_wait: 0,
  trust_ray_header: true,
  markdown_guidance_member: false,
  cors_origins: [],
} as const;

/** Few requests to one namespace, little storage, and no error route. */
export const meagreSettings = {
  rate_rest: { requests: 10, seconds: 2 },
  // Room for a small pack with its index and graph, but not for two of 500 bytes of noise.
  account_storage_max: 3_800,
  error_route: false,
} as const;

/**
 * Settings that let clients do less, or more, than the defaults. All cases that need them share one deployment. No case
 * may send more requests to one repo than `rate_git` allows.
 */
export const governedSettings = {
  cors_origins: ['https://app.example'],
  deny_delete_default: true,
  deny_non_fast_forward: true,
  hidden_refs: ['refs/internal', 'refs/heads/private/'],
  rate_git: { requests: 60, seconds: 3600 },
} as const;

/**
 * Settings for immediate expiry and early collection of unreachable objects, small repos and short silences. All cases
 * that need them share one deployment.
 */
export const soonCollected = { gc_grace: 1, stale_want_grace: 0, repo_storage_max: 400_000, keep_alive: 1 } as const;

/** Bodies of at most 20,000 bytes. */
export const smallRequests = {
  push_body_max: 20_000,
  fetch_body_max: 20_000,
} as const;

/** Small objects, pushes and repos, and requests that need little memory. */
export const smallPacks = {
  blob_max: 2000,
  object_max: 3000,
  commit_max: 2500,
  commit_parents_max: 4,
  push_commands_max: 3,
  delta_depth_max: 3,
  push_options_max: 2,
  push_option_bytes_max: 10,
  repo_storage_max: 20_000,
  request_memory_max: 20_000,
} as const;

/** Pushes with a low limit on their cost. */
export const cheapPushes = {
  push_inflated_max: 1_000_000,
  delta_chain_max: 300_000,
  push_graph_max: 500,
} as const;

/** A low limit on the tags of an account, and a lower one on those of a resource. */
export const fewTags = { account_tags_max: 20, resource_tags_max: 15 } as const;

/** Low rates for tagging, and lower ones for repos, with windows that a case can wait for. */
export const fewRequests = {
  rate_tags: { requests: 12, seconds: 2 },
  rate_rest: { requests: 4, seconds: 2 },
} as const;

const sharedSets: readonly Readonly<Record<string, unknown>>[] = [
  tightSettings,
  meagreSettings,
  governedSettings,
  soonCollected,
  smallRequests,
  smallPacks,
  cheapPushes,
  fewTags,
];

/** Returns the settings of these names. */
export function only<S extends object, N extends keyof S>(settings: S, ...names: readonly N[]): Pick<S, N> {
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<S, N>;
}

/** Returns what a deployment for these settings is started with: the first shared set that has them, or they alone. */
export function sharedSettings(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const has = (set: Readonly<Record<string, unknown>>): boolean =>
    Object.entries(settings).every(([name, value]) => isDeepStrictEqual(set[name], value));
  return Object.keys(settings).length === 0 ? settings : (sharedSets.find(has) ?? settings);
}
