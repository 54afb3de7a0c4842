/**
 * Imports over REST (section 8 of docs/specification/repositories.md), and the result of stock Git for the same remote.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertFailure, assertSuccess, type Failure } from './replies.ts';
import type { Context, RestReply, TestRepo } from '../core/context.ts';
import { pathOf } from './content.ts';
import { assertMembers } from './values.ts';
import { gitAuth } from '../tools/git-auth.ts';
import { pack } from '../tools/made-objects.ts';
import type { History } from '../tools/random-history.ts';
import { same } from '../tools/same.ts';

type ImportFailure = 'noHttps' | 'noRemote' | 'notFound' | 'noBranch' | 'unavailable' | 'tooLarge';

/** The import failures with their own text (REPO-126 to REPO-128). */
export const failures: Readonly<Record<ImportFailure, Failure>> = {
  noHttps: { status: 400, code: 10100, message: 'Must be an HTTPS URL', pointer: '/url' },
  noRemote: {
    status: 400,
    code: 10104,
    message: 'url must be an HTTPS git remote URL (e.g. https://github.com/owner/repo)',
    pointer: '/url',
  },
  notFound: { status: 404, code: 10200, message: 'Remote repository not found' },
  noBranch: { status: 404, code: 10200, message: 'Remote branch not found' },
  unavailable: { status: 502, code: 10401, message: 'The upstream service is unavailable. Please retry.' },
  tooLarge: { status: 413, code: 10402, message: 'The repository exceeds the import limits' },
};

/**
 * REPO-127.
 *
 * @param url the URL of the request, without `.git`.
 */
export function needsAuthentication(url: string, status: number): Failure {
  const message = `Repository "${url}.git" requires authentication (HTTP ${status}). Only public repositories can be imported.`;
  return { status: 422, code: 10106, message, pointer: '/url' };
}

export async function askForImport(
  t: Context,
  name: string,
  body: Readonly<Record<string, unknown>>,
): Promise<RestReply> {
  const path = pathOf({ namespace: t.namespace, name });
  t.removeLater(path);
  return t.rest('POST', `${path}/import`, { body });
}

export interface Imported extends TestRepo {
  readonly defaultBranch: string;
}

/**
 * Imports under a new name.
 *
 * @throws unless the reply is 201.
 */
export async function imported(t: Context, body: Readonly<Record<string, unknown>>): Promise<Imported> {
  const name = t.name('import');
  const reply = await askForImport(t, name, body);
  const result = assertSuccess(reply, 201, `an import of ${JSON.stringify(body)}`);
  assertMembers(result, ['id', 'name', 'description', 'default_branch', 'remote', 'token'], 'an import');
  same(reply.headers.get('cache-control'), 'no-store', 'A reply with a token is not stored (REPO-045).');
  const { id, remote, token, default_branch: branch } = result;
  const auth = gitAuth(`Bearer ${token}`);
  return { id, namespace: t.namespace, name, remote, token, fetch: t.fetch, auth, defaultBranch: branch };
}

/** Expects that an import fails and leaves nothing behind: neither repo nor name (REPO-133). */
export async function expectNoImport(
  t: Context,
  body: Readonly<Record<string, unknown>>,
  failure: Failure,
  what: string,
): Promise<void> {
  const name = t.name('none');
  assertFailure(t, await askForImport(t, name, body), failure, `an import of ${what}`);
  const gone = { status: 404, code: 10200, message: 'Repository not found' };
  assertFailure(t, await t.rest('GET', pathOf({ namespace: t.namespace, name })), gone, `the repo after ${what}`);
}

/** Makes a bare repository that the remote serves, with a whole history and HEAD on `main`. Returns its name. */
export async function servedHistory(t: Context, { refs, objects }: History): Promise<string> {
  const name = t.name('remote');
  const cwd = join(t.importRemote.folder, `${name}.git`);
  await t.git(['init', '--quiet', '--bare', '--initial-branch=main', cwd]);
  await t.git(['unpack-objects', '-q'], { cwd, input: pack(...objects.values()) });
  const commands = [...refs].map(([ref, { oid }]) => `create ${ref} ${oid}\n`);
  await t.git(['update-ref', '--stdin'], { cwd, input: commands.join('') });
  return name;
}

/** Returns the content of a bare clone: refs with their values, all objects, and the shallow boundary. */
export async function holdings(t: Context, cwd: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const lines = (text: string): readonly string[] => text.split('\n').filter(Boolean).sort();
  const shallow = await readFile(join(cwd, 'shallow'), 'utf8').catch(() => '');
  return {
    refs: lines(await t.git(['for-each-ref', '--format=%(objectname) %(refname)'], { cwd })),
    objects: lines(await t.git(['rev-list', '--objects', '--no-object-names', '--all'], { cwd })),
    shallow: lines(shallow),
  };
}

/** Makes a bare clone of everything that a repo shows. Returns its folder. */
export async function mirrored(t: Context, repo: TestRepo): Promise<string> {
  const cwd = await t.folder();
  await t.git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, cwd]);
  return cwd;
}
