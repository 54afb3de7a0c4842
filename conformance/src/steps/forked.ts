/** Forks over REST (section 8 of docs/specification/repositories.md). */

import type { Context, RestReply, TestRepo } from '../core/context.ts';
import { assertSuccess } from './replies.ts';
import { commitOf, expectBytes, pathOf, readBytes, treeOf } from './content.ts';
import { expectNotOurs } from '../tools/hosted-objects.ts';
import type { MadeCommit, MadeObject } from '../tools/made-objects.ts';
import { gitAuth } from '../tools/git-auth.ts';
import { same } from '../tools/same.ts';
import { commandBody, linesOf, post } from '../tools/wire-client.ts';

/** A fork, with the object count that the service reports. */
export interface Forked extends TestRepo {
  readonly objects: number;
}

export async function askForFork(
  t: Context,
  parent: Pick<TestRepo, 'namespace' | 'name'>,
  body: Readonly<Record<string, unknown>>,
): Promise<RestReply> {
  return t.rest('POST', `${pathOf(parent)}/fork`, { body });
}

/**
 * Forks a repo under a new name.
 *
 * @throws unless the reply is 201.
 */
export async function forkOf(
  t: Context,
  parent: TestRepo,
  body: Readonly<Record<string, unknown>> = {},
): Promise<Forked> {
  const reply = await askForFork(t, parent, { name: t.name('fork'), ...body });
  const { id, name, remote, token, objects } = assertSuccess(reply, 201, `POST of a fork of ${parent.name}`);
  const auth = gitAuth(`Bearer ${token}`);
  return { id, namespace: parent.namespace, name, remote, token, fetch: t.fetch, auth, objects };
}

/** Forks a repo with all of its refs. */
export async function forkOfAll(t: Context, parent: TestRepo): Promise<Forked> {
  return forkOf(t, parent, { default_branch_only: false });
}

/** Expects that REST returns a commit, its tree and its file. */
export async function expectReadable(t: Context, repo: TestRepo, { oid, root, file }: MadeCommit): Promise<void> {
  same((await commitOf(t, repo, oid)).treeHash, root.oid, `The commit ${oid} is in ${repo.name}.`);
  same((await treeOf(t, repo, root.oid))[0]?.hash, file.oid, 'Its tree is there.');
  expectBytes(await readBytes(t, repo, `/blob/${file.oid}`), file.oid, file.body, 'its file');
}

/** Expects that no request reveals any of the objects (GIT-154): as wants, as haves, by existence, or by content. */
export async function expectAbsent(t: Context, repo: TestRepo, objects: readonly MadeObject[]): Promise<void> {
  const info = commandBody('object-info', ['size', ...objects.map(({ oid }) => `oid ${oid}`)]);
  const told = linesOf((await post(repo, info)).body);
  for (const { oid, kind } of objects) {
    await expectNotOurs(repo, { oid }, `${oid} cannot be fetched from ${repo.name}.`);
    const known = told.filter((line) => line.startsWith(oid) && line.trim() !== oid);
    same(known, [], `object-info knows no ${oid} in ${repo.name}.`);
    if (kind === 'tag') continue;
    same((await t.rest('GET', `${pathOf(repo)}/${kind}/${oid}`)).status, 404, `There is no ${kind} ${oid}.`);
  }
}

/** Expects that none of the commits counts as common in a fetch of `tip`. */
export async function expectUncommon(
  repo: TestRepo,
  tip: Pick<MadeObject, 'oid'>,
  commits: readonly MadeObject[],
): Promise<void> {
  const words = [`want ${tip.oid}`, ...commits.map(({ oid }) => `have ${oid}`), 'no-progress'];
  const lines = linesOf((await post(repo, commandBody('fetch', words))).body);
  same(
    lines.filter((line) => line.startsWith('ACK')),
    [],
    `What ${repo.name} has not is not common.`,
  );
}
