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

/** Maximum bytes of a body. A longer one is not treated as problem details. */
const bodyMax = 65_536;

const standard = new Map<string, TypeCheck>(Object.entries(standardMembers));
const platform = new Map<string, TypeCheck>(
  Object.entries({ ...standardMembers, ...markerMembers, ...alwaysMembers, ...optionalMembers }),
);

/**
 * Parses the problem details of a response (RFC 9457). Returns undefined if it has none. Never throws.
 *
 * Reads `application/problem+json`. With a status from 400 on it also reads `application/json` in that form: a `title`
 * with a `type` or a `status`. Drops members of the wrong type (RFC 9457 §3.1), including those of a platform error
 * (ERR-041 to ERR-052). Resolves a relative `type` against the URL of the response.
 *
 * The response stays readable. The result is undefined if the body is not a JSON object, exceeds 65,536 bytes, breaks
 * off or was read before. Only the signal of the response's `fetch` limits the time.
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
    // The body breaks off, was read before, or is not JSON.
    return undefined;
  }
}

function toProblem(body: Readonly<Record<string, unknown>>, base: string): Problem {
  const checks = isMarked(body) ? platform : standard;
  const isOwnMember = checks === platform ? (name: string): boolean => name.startsWith('x_') : (): boolean => false;
  const checkOf = (name: string): TypeCheck | undefined =>
    checks.get(name) ?? (isOwnMember(name) ? extensionMember : undefined);
  // Assignment would fail for a member with the name `__proto__`.
  const members: Partial<Problem> = Object.fromEntries(
    Object.entries(body).filter(([name, value]) => checkOf(name)?.(value) ?? true),
  );
  return { ...members, type: resolve(members.type ?? 'about:blank', base) };
}

/** Resolves a relative `type` (RFC 9457 §3.1.1). */
function resolve(type: string, base: string): string {
  return !URL.canParse(type) && URL.canParse(type, base) ? new URL(type, base).href : type;
}

/** Tests if JSON with the general media type has the form of problem details. */
function hasForm(problem: Problem, body: Readonly<Record<string, unknown>>): boolean {
  return problem.title !== undefined && (problem.status !== undefined || typeof body['type'] === 'string');
}

/**
 * Reads the body of a response as UTF-8, as JSON requires regardless of `charset` (RFC 8259 §8.1, §11). Reads a clone,
 * so that the response stays readable.
 *
 * @param limit in bytes.
 * @returns undefined without a body, or with a longer one.
 * @throws TypeError if the body was read before; also the error that breaks it off.
 */
async function readText(response: Response, limit: number): Promise<string | undefined> {
  if (response.body === null || Number(response.headers.get('Content-Length')) > limit) return undefined;
  const reader = response.clone().body?.getReader();
  if (reader === undefined) return undefined;
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > limit) {
      // Do not await: cancelling one branch of a tee resolves only when the caller cancels the other.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
