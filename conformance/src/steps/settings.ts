/** Settings for cases. They are few and shared, since each needs a separate deployment. */

/** Every limit far from its default. With `token_ttl_min`, a token expires while a case waits. */
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
