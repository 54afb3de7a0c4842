import type { Context } from '../../../core/context.ts';
import { pathOf } from '../../../steps/content.ts';
import { assertRefused, assertSuccess, failures } from '../../../steps/replies.ts';
import { expectIntact, expectNotOurs, refsOf } from '../../../tools/hosted-objects.ts';
import { same } from '../../../tools/same.ts';
import { discover } from '../../../tools/wire-client.ts';
import { checkToken } from './tokens.ts';
import { idsByName, type World } from './world.ts';

/** Commits of other repos that are asked for in each repo. */
const foreignMax = 3;

/** Compares everything that the service shows with the model. */
export async function checkWorld(t: Context, world: World): Promise<void> {
  const reply = await t.rest('GET', `/namespaces/${world.namespace}/repos?limit=200`);
  const listed = assertSuccess(reply, 200, 'the list of repos') as readonly { readonly id: string }[];
  const byId = new Map(listed.map((row) => [row.id, row]));
  same([...byId.keys()].sort(), world.repos.map(({ repo }) => repo.id).sort(), 'The list has the repos that exist.');
  for (const one of world.repos) {
    const { repo, description, defaultBranch, readOnly, tokens } = one;
    const details = assertSuccess(await t.rest('GET', pathOf(repo)), 200, 'GET of a repo');
    const { name, description: shown, default_branch: branch, read_only: closed } = details;
    same([name, shown, branch, closed], [repo.name, description, defaultBranch, readOnly], 'The members of a repo.');
    const { status: _, ...row } = byId.get(repo.id) as Record<string, unknown>;
    const inBoth = Object.fromEntries(Object.keys(row).map((key) => [key, details[key]]));
    same(row, inBoth, 'The list and the details of a repo agree.');
    same(await refsOf(repo), idsByName(one), 'The refs at the end.');
    await expectIntact(repo);
    const foreign = world.versions.filter(({ node }) => !one.seen.has(node.oid));
    for (const { node } of foreign.slice(-foreignMax)) {
      await expectNotOurs(repo, node, 'No repo has a commit that was made in another one, not even a fork of it.');
    }
    for (const token of tokens) await checkToken(repo, token, readOnly);
    const all = await t.rest('GET', `${pathOf(repo)}/tokens?state=all`);
    same(
      assertSuccess(all, 200, 'the list of tokens')
        .map(({ id, state }: Record<string, string>) => `${id} ${state}`)
        .sort(),
      tokens.map(({ id, revoked }) => `${id} ${revoked ? 'revoked' : 'active'}`).sort(),
      'The tokens that are listed.',
    );
  }
  for (const [at, { repo }] of world.repos.entries()) {
    const other = world.repos[at + 1];
    if (other === undefined) continue;
    const status = (await discover({ ...repo, token: other.repo.token })).status;
    same(status, 403, 'A token of another repo opens nothing, not even that of a fork or parent.');
  }
  for (const { repo } of world.gone) {
    same((await discover(repo)).status, 403, 'The token of a deleted repo opens nothing.');
    const isFree = world.repos.every((other) => other.repo.name !== repo.name);
    if (isFree) await assertRefused(t, ['GET', pathOf(repo)], failures.noRepo);
  }
}
