/** Settings that cases of tagging need; each kind costs a deployment of its own. */

/** Few tags in an account, and fewer on one resource. */
export const fewTags = { account_tags_max: 20, resource_tags_max: 15 } as const;

/** Few requests of tagging, and fewer of repos, in a time that a case can wait. */
export const fewRequests = {
  rate_tags: { requests: 12, seconds: 2 },
  rate_rest: { requests: 4, seconds: 2 },
} as const;
