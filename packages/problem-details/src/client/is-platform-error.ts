import type { PlatformProblem } from '../problem/problem.ts';
import {
  alwaysMembers,
  extensionMember,
  markerMembers,
  optionalMembers,
  standardMembers,
  type TypeCheck,
} from './platform-members.ts';

const required = Object.entries({ ...standardMembers, ...alwaysMembers });
const optional = Object.entries({ ...optionalMembers, ...markerMembers });

/**
 * Tests if a problem is a platform error, in either dialect, with all members in their types (ERR-036 to ERR-052).
 * Accepts the result of `parseProblem` or other JSON.
 */
export function isPlatformError(problem: unknown): problem is PlatformProblem {
  if (!isObject(problem) || !isMarked(problem)) return false;
  const has = ([name, check]: [string, TypeCheck]): boolean => Object.hasOwn(problem, name) && check(problem[name]);
  return (
    required.every(has) &&
    optional.every((member) => !Object.hasOwn(problem, member[0]) || has(member)) &&
    Object.entries(problem).every(([name, value]) => !name.startsWith('x_') || extensionMember(value))
  );
}

/** Tests if a JSON object is marked as a platform error (ERR-047). */
export function isMarked(object: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(markerMembers).some(([name, check]) => Object.hasOwn(object, name) && check(object[name]));
}

/** Tests if a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
