import type { PlatformProblem } from '../problem/problem.ts';

/** Checks the type of a member. */
export type TypeCheck = (value: unknown) => boolean;

/** The members of RFC 9457 §3.1. */
type StandardMember = 'type' | 'title' | 'status' | 'detail' | 'instance';
type MarkerMember = 'platform_error' | 'cloudflare_error';
type OptionalMember = 'retry_after';
type AlwaysMember = Exclude<keyof PlatformProblem, `x_${string}` | StandardMember | MarkerMember | OptionalMember>;

const text: TypeCheck = (value) => typeof value === 'string';
const flag: TypeCheck = (value) => typeof value === 'boolean';
const count: TypeCheck = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const marker: TypeCheck = (value) => value === true;

/** Members of RFC 9457 §3.1, with the types of its appendix A. */
export const standardMembers: Readonly<Record<StandardMember, TypeCheck>> = {
  type: text,
  title: text,
  status: (value) => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599,
  detail: text,
  instance: text,
};

/** Members that mark a platform error, in either dialect (ERR-003, ERR-047). */
export const markerMembers: Readonly<Record<MarkerMember, TypeCheck>> = {
  platform_error: marker,
  cloudflare_error: marker,
};

/** Members of every platform error (ERR-041 to ERR-052). */
export const alwaysMembers: Readonly<Record<AlwaysMember, TypeCheck>> = {
  error_code: count,
  error_name: text,
  error_category: text,
  ray_id: text,
  timestamp: text,
  zone: text,
  retryable: flag,
  owner_action_required: flag,
  what_you_should_do: text,
  footer: text,
};

/** Members that only some platform errors have (ERR-049). */
export const optionalMembers: Readonly<Record<OptionalMember, TypeCheck>> = { retry_after: count };

/** An `x_...` member of an own code (ERR-035). */
export const extensionMember: TypeCheck = (value) => text(value) || flag(value) || Number.isFinite(value);
