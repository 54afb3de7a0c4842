import { isMarked, isObject } from './is-platform-error.ts';
import {
  alwaysMembers,
  extensionMember,
  markerMembers,
  optionalMembers,
  standardMembers,
  type TypeCheck,
} from './platform-members.ts';
import type { Problem } from './problem.ts';
import { readText } from './read-text.ts';

/** Bytes of a body that are read; a longer one is no problem. */
const bodyMax = 65_536;

const standard = new Map<string, TypeCheck>(Object.entries(standardMembers));
const platform = new Map<string, TypeCheck>(
  Object.entries({ ...standardMembers, ...markerMembers, ...alwaysMembers, ...optionalMembers }),
);

/**
 * The problem details of a response (RFC 9457), or nothing if it has none. Never throws.
 *
 * Read are `application/problem+json`, and with a status from 400 on `application/json` that has the form: a `title`
 * beside a `type` or a `status`. A member of the wrong type is left out, as if it were not there (RFC 9457 §3.1); so are
 * those of a platform error (ERR-041 to ERR-052). A relative `type` is resolved against the URL of the response.
 *
 * The response stays readable. Nothing is returned for a body of more than 65,536 bytes, one that breaks off or was read
 * before, and one that is no JSON object. Time has no limit but that of the signal that the response was fetched with.
 */
export async function parseProblem(response: Response): Promise<Problem | undefined> {
  try {
    const mediaType = response.headers.get('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase();
    const isProblem = mediaType === 'application/problem+json';
    if (!isProblem && !(mediaType === 'application/json' && response.status >= 400)) return undefined;
    const text = await readText(response, bodyMax);
    const body: unknown = text === undefined ? undefined : JSON.parse(text);
    if (!isObject(body)) return undefined;
    const problem = toProblem(body, response.url);
    return isProblem || hasForm(problem, body) ? problem : undefined;
  } catch {
    // A body that breaks off, was read before, or is no JSON.
    return undefined;
  }
}

function toProblem(body: Readonly<Record<string, unknown>>, base: string): Problem {
  const checks = isMarked(body) ? platform : standard;
  const isOwnMember = checks === platform ? (name: string): boolean => name.startsWith('x_') : (): boolean => false;
  const checkOf = (name: string): TypeCheck | undefined =>
    checks.get(name) ?? (isOwnMember(name) ? extensionMember : undefined);
  // Not by assignment: a member may be called `__proto__`.
  const members: Partial<Problem> = Object.fromEntries(
    Object.entries(body).filter(([name, value]) => checkOf(name)?.(value) ?? true),
  );
  return { ...members, type: resolve(members.type ?? 'about:blank', base) };
}

/** RFC 9457 §3.1.1: a relative `type` counts after resolution. */
function resolve(type: string, base: string): string {
  return !URL.canParse(type) && URL.canParse(type, base) ? new URL(type, base).href : type;
}

/** Whether JSON of no special media type is problem details. */
function hasForm(problem: Problem, body: Readonly<Record<string, unknown>>): boolean {
  return problem.title !== undefined && (problem.status !== undefined || typeof body['type'] === 'string');
}
