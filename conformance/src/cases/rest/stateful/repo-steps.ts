/** Steps about repos, forks and tokens. */

import fc from 'fast-check';
import type { Context, TestRepo } from '../../../core/context.ts';
import { pathOf } from '../../../steps/content.ts';
import { assertRefused, assertSuccess, failures, repoExists } from '../../../steps/replies.ts';
import { forkOf } from '../../../steps/forked.ts';
import { same } from '../../../tools/same.ts';
import { walked, type Row } from '../lists/walks.ts';
import { checkToken, firstToken } from './tokens.ts';
import { choice, hasRepo, headOf, pick, setRef, step, type ModelRepo, type Step, type World } from './world.ts';

const reposMax = 4;
const hasRoom = (world: World): boolean => world.repos.length < reposMax;

/** Makes a repo on the service and in the model. */
export async function addRepo(t: Context, world: World, description: string | null, again?: string): Promise<void> {
  const body = description === null ? {} : { description };
  const name = again ?? t.name('r');
  const repo = await t.createRepo({ namespace: world.namespace, name, body });
  world.repos.push(await modelOf(t, repo, description));
}

async function modelOf(t: Context, repo: TestRepo, description: string | null): Promise<ModelRepo> {
  const tokens = [await firstToken(t, repo)];
  return {
    repo,
    description,
    defaultBranch: 'main',
    readOnly: false,
    refs: new Map(),
    tokens,
    seen: new Set(),
    stored: new Set(),
  };
}

const create = fc
  .record({ description: fc.constantFrom(null, 'one', 'Zwei ü'), name: fc.constantFrom('new', 'of a deleted repo') })
  .map(({ description, name }) =>
    step(`create a repo, name: ${name}`, hasRoom, async (world, t) => {
      const free = world.gone
        .map(({ repo }) => repo.name)
        .filter((one) => world.repos.every((l) => l.repo.name !== one));
      await addRepo(t, world, description, name === 'new' ? undefined : free[0]);
    }),
  );

const createTaken = choice.map((number) =>
  step(`create a repo with the name of ${number}`, hasRepo, async (world, t) => {
    const name = pick(world.repos, number).repo.name.toUpperCase();
    await assertRefused(t, ['POST', `/namespaces/${world.namespace}/repos`, { name }], repoExists(name));
  }),
);

const remove = choice.map((number) =>
  step(`delete ${number}`, hasRepo, async (world, t) => {
    const gone = pick(world.repos, number);
    const reply = await t.rest('DELETE', pathOf(gone.repo));
    same(assertSuccess(reply, 202, 'DELETE of a repo'), { id: gone.repo.id }, 'The id of the deleted repo.');
    world.repos.splice(world.repos.indexOf(gone), 1);
    world.gone.push(gone);
    await assertRefused(t, ['GET', pathOf(gone.repo)], failures.noRepo);
  }),
);

const list = fc.integer({ min: 1, max: 3 }).map((limit) =>
  step(
    `list the repos, ${limit} a page`,
    () => true,
    async (world, t) => {
      const query = `?limit=${limit}&sort=name&direction=asc`;
      const rows = await walked<Row>(t, `/namespaces/${world.namespace}/repos${query}`);
      same(
        rows.map(({ name }) => name),
        world.repos.map(({ repo }) => repo.name).sort(byLowerCase),
        'The pages together have each repo once, sorted by name.',
      );
    },
  ),
);

function byLowerCase(one: string, two: string): number {
  return one.toLowerCase() < two.toLowerCase() ? -1 : 1;
}

const fork = fc.record({ number: choice, all: fc.boolean() }).map(({ number, all }) =>
  step(
    `fork ${number}${all ? ' with all refs' : ''}`,
    (world) => hasRepo(world) && hasRoom(world),
    async (world, t) => {
      const parent = pick(world.repos, number);
      const repo = await forkOf(t, parent.repo, { default_branch_only: !all });
      const made = await modelOf(t, repo, null);
      made.defaultBranch = parent.defaultBranch;
      const ofHead = headOf(parent);
      for (const [name, value] of parent.refs) if (all || name === ofHead) setRef(made, name, value);
      world.repos.push(made);
    },
  ),
);

const mint = fc.record({ number: choice, scope: fc.constantFrom('read', 'write') }).map(({ number, scope }) =>
  step(`mint a token of ${number} to ${scope}`, hasRepo, async (world, t) => {
    const { repo, tokens } = pick(world.repos, number);
    const reply = await t.rest('POST', `/namespaces/${repo.namespace}/tokens`, { body: { repo: repo.name, scope } });
    const { id, plaintext } = assertSuccess(reply, 201, 'POST of a token');
    tokens.push({ id, text: plaintext, scope, revoked: false });
  }),
);

const revoke = fc.tuple(choice, choice).map(([number, which]) =>
  step(`revoke token ${which} of ${number}`, hasRepo, async (world, t) => {
    const { repo, tokens, readOnly } = pick(world.repos, number);
    // The first token stays, since steps push with it.
    const token = tokens.slice(1)[which % Math.max(1, tokens.length - 1)];
    if (token === undefined) return;
    // A service may remember a token that was used.
    await checkToken(repo, token, readOnly);
    const reply = await t.rest('DELETE', `/namespaces/${repo.namespace}/tokens/${token.id}`);
    assertSuccess(reply, 200, 'DELETE of a token');
    token.revoked = true;
    await checkToken(repo, token, false);
  }),
);

const use = fc.tuple(choice, choice).map(([number, which]) =>
  step(`use token ${which} of ${number}`, hasRepo, async (world) => {
    const { repo, tokens, readOnly } = pick(world.repos, number);
    await checkToken(repo, pick(tokens, which), readOnly);
  }),
);

export const repoSteps: readonly fc.Arbitrary<Step>[] = [
  create,
  createTaken,
  remove,
  list,
  fork,
  fork,
  mint,
  revoke,
  use,
];
