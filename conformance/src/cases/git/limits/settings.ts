/** Settings for the cases of limits. There are few, since each needs a deployment. */

/** Bodies of at most 20,000 bytes. */
export const smallRequests: Readonly<Record<string, unknown>> = {
  push_body_max: 20_000,
  fetch_body_max: 20_000,
};

/** Small objects, pushes and repos, and requests that need little memory. */
export const smallPacks: Readonly<Record<string, unknown>> = {
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
};

/** Pushes with a low limit on their cost. */
export const cheapPushes: Readonly<Record<string, unknown>> = {
  push_inflated_max: 1_000_000,
  delta_chain_max: 300_000,
  push_graph_max: 500,
};
