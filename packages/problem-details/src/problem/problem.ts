import type { Extensions } from '../catalogue/entry.ts';

/**
 * The JSON form of an error, with members in wire order (ERR-035 to ERR-052). The marker member of the dialect is
 * between `zone` and `retryable`.
 */
export interface PlatformProblem extends Extensions {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The ray id. */
  readonly instance: string;
  readonly error_code: number;
  readonly error_name: string;
  readonly error_category: string;
  readonly ray_id: string;
  /** UTC, `YYYY-MM-DDThh:mm:ssZ`. */
  readonly timestamp: string;
  /** Host name of the request, or empty (ERR-088, ERR-089). */
  readonly zone: string;
  readonly platform_error?: true;
  readonly cloudflare_error?: true;
  readonly retryable: boolean;
  /** Seconds; present if and only if `retryable`. */
  readonly retry_after?: number;
  readonly owner_action_required: boolean;
  readonly what_you_should_do: string;
  readonly footer: string;
}
