/**
 * Settings with which a deployment lets clients do less, or more, than by default. One deployment for all the cases
 * that need them. No case may send more requests to one repo than `rate_git` says.
 */
export const governedSettings = {
  cors_origins: ['https://app.example'],
  deny_delete_default: true,
  deny_non_fast_forward: true,
  hidden_refs: ['refs/internal', 'refs/heads/private/'],
  rate_git: { requests: 60, seconds: 3600 },
} as const;
