import assert from 'node:assert/strict';
import type { Binding, BindingRepo, CreatedRepo } from '../../core/binding.ts';
import { BindingFailure } from '../../binding/failure.ts';
import type { Context } from '../../core/context.ts';
import { pack, type MadeObject } from '../../tools/made-objects.ts';
import { assertReason } from '../../steps/reasons.ts';
import { accepted } from '../../steps/repo-with.ts';
import { set, type Remote } from '../../tools/wire-client.ts';

/** The codes of BIND-085 to BIND-099, BIND-116. */
export const numericCodes = {
  INVALID_INPUT: 10100,
  INVALID_REPO_NAME: 10101,
  INVALID_TTL: 10103,
  INVALID_URL: 10104,
  REMOTE_AUTH_REQUIRED: 10106,
  NOT_FOUND: 10200,
  ALREADY_EXISTS: 10201,
  READ_ONLY: 10203,
  STALE_REF: 10204,
  REF_REFUSED: 10205,
  MERGE_CONFLICT: 10206,
  CREATE_IN_PROGRESS: 10301,
  IMPORT_IN_PROGRESS: 10302,
  FORK_IN_PROGRESS: 10303,
  INTERNAL_ERROR: 10400,
  UPSTREAM_UNAVAILABLE: 10401,
  MEMORY_LIMIT: 10402,
} as const;

export type BindingCode = keyof typeof numericCodes;

/** Messages with an exact text (BIND-083). */
export const messages = {
  noRepo: (name: string) => `Repository not found: ${name}.`,
  taken: (name: string) => `repo already exists: ${name}`,
  hash: 'Invalid hash: expected a 40-character SHA-1 hex hash.',
} as const;

/**
 * Expects a call to be rejected in the form of BIND-080. `what` names the call.
 *
 * @param message the exact text. Default: any sentence.
 */
export async function assertRejected(
  t: Context,
  call: Promise<unknown>,
  code: BindingCode,
  what: string,
  message?: string,
): Promise<void> {
  const failure = await failureOf(call, what);
  const { isError, name, own, message: told } = failure.error;
  assert.ok(isError, `${what}: expected an instance of Error`);
  const seen = { name: own['name'], code: own['code'], numericCode: own['numericCode'] };
  const expected = { name: t.dialect.bindingError, code, numericCode: numericCodes[code] };
  assert.deepEqual(seen, expected, `${what}: expected these own enumerable members of the error (${told})`);
  assert.equal(name, t.dialect.bindingError, `${what}: expected its name`);
  assertReason(own, numericCodes[code], undefined, what);
  if (message === undefined) assert.match(told, /^[^\n]{3,300}$/, `${what}: expected one sentence`);
  else assert.equal(told, message, `${what}: expected this message`);
}

/**
 * Returns the rejection of a call.
 *
 * @throws if the call was not rejected.
 */
export async function failureOf(call: Promise<unknown>, what: string): Promise<BindingFailure> {
  try {
    await call;
  } catch (error) {
    if (error instanceof BindingFailure) return error;
    throw error;
  }
  return assert.fail(`${what}: expected it to be rejected`);
}

/** Returns a repo as a Git remote. */
export function remoteOf(t: Context, { remote, token }: CreatedRepo): Remote {
  return { remote, token, fetch: t.fetch };
}

/**
 * Creates a repo through the binding and pushes refs to it.
 *
 * @param objects all objects that the refs need.
 */
export async function boundRepoWith(
  t: Context,
  binding: Binding,
  refs: Readonly<Record<string, { readonly oid: string }>>,
  objects: readonly MadeObject[],
): Promise<{ readonly made: CreatedRepo; readonly repo: BindingRepo }> {
  const made = await binding.create(t.name('repo'));
  const commands = Object.entries(refs).map(([ref, value]) => set(ref, value));
  await accepted(remoteOf(t, made), commands, pack(...objects));
  return { made, repo: await binding.get(made.name) };
}
