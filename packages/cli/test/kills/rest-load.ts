import type { Dice } from '@packhouse/conformance/tools/dice';
import { repoChanges } from './git-load.ts';
import type { Changes, Facts, Outcome } from './ledger.ts';
import type { Actor } from './load.ts';
import { repoFact, tagsFact, repoPath, type Reply } from './observe.ts';
import type { World } from './world.ts';

/** Refusals that do not concern durability: the server is busy. */
const busy: ReadonlySet<number> = new Set([413, 429, 503]);

const none: Facts = new Map();

/** Returns the outcome that a reply shows. Any status except `expected`, outages and those of a busy server is a problem. */
export function outcomeOf(
  world: World,
  what: string,
  { status }: Reply,
  expected: number,
  facts = none,
): Outcome | undefined {
  if (status === expected) return facts;
  if (world.outages.has(status)) return undefined;
  if (busy.has(status)) return 'refused';
  world.problems.push(`${what} was answered with ${status}`);
  return undefined;
}

/** Creates, forks, imports and deletes repos, creates and revokes tokens, and sets tags. */
export function restActor(world: World, number: number, seedRefs: ReadonlyMap<string, string>): Actor {
  let made = 0;
  /** Keys of tokens other than the first ones, which are used to read repos. */
  const minted = new Set<string>();
  const own = `rest${number}-`;
  const nextName = (): string => `${own}${made++}`;

  /** Sends a request that creates a repo with a first token. */
  const make = async (kind: string, name: string, changes: Changes, path: string, body: unknown): Promise<void> => {
    await world.ledger.change(
      kind,
      changes,
      async () => {
        const reply = await world.rest('POST', path, body);
        // 202: the work continues after the reply, and may fail.
        if (reply.status === 202) return undefined;
        if (reply.status === 201) world.tokens.set(name, (reply.result as { readonly token: string }).token);
        return outcomeOf(world, kind, reply, 201);
      },
      `token ${name} `,
    );
  };
  const create = (name: string): Promise<void> =>
    make('creation', name, repoChanges(name, repoFact('trunk', null), new Map()), repoPath(), {
      name,
      default_branch: 'trunk',
    });
  const fork = (name: string): Promise<void> =>
    make(
      'fork',
      name,
      repoChanges(name, repoFact('main', 'repos:default/seed'), seedRefs),
      `${repoPath('seed')}/fork`,
      { name, default_branch_only: false },
    );
  const importSeed = (name: string): Promise<void> =>
    make(
      'import',
      name,
      repoChanges(name, repoFact('main', `git:${world.importUrl}`), seedRefs),
      `${repoPath(name)}/import`,
      { url: world.importUrl },
    );

  const step = async (dice: Dice): Promise<void> => {
    const { ledger } = world;
    const repos = ledger.settledKeys(`repo ${own}`).map((key) => key.slice('repo '.length));
    const repo = repos.length === 0 ? undefined : dice.pick(repos);
    if (repo === undefined || (repos.length < 5 && dice.below(3) === 0)) {
      return dice.pick([create, fork, fork, importSeed])(nextName());
    }
    switch (dice.below(7)) {
      case 0:
        return mint(world, repo, minted);
      case 1:
        return revoke(world, repo, minted, dice);
      case 2:
        return setTags(world, { type: 'repository', name: repo, id: await idOf(world, repo) }, dice);
      case 3:
      case 4: {
        const name = `worker-${number}-${dice.below(6)}`;
        return setTags(world, { type: 'worker', name, id: name }, dice);
      }
      case 5:
        return namespace(world, `${own}ns-${dice.below(3)}`);
      default:
        return deleteRepo(world, repo);
    }
  };
  return { name: `rest-${number}`, step };
}

async function idOf(world: World, repo: string): Promise<string> {
  const { status, result } = await world.rest('GET', repoPath(repo));
  if (world.outages.has(status)) throw new Error(`a read was answered with ${status}`);
  return (result as { readonly id: string } | null)?.id ?? 'unknown';
}

async function mint(world: World, repo: string, minted: Set<string>): Promise<void> {
  await world.ledger.change(
    'token',
    new Map(),
    async () => {
      const reply = await world.rest('POST', '/repos/namespaces/default/tokens', { repo, scope: 'read' });
      if (reply.status !== 201) return outcomeOf(world, 'token', reply, 201);
      const key = `token ${repo} ${(reply.result as { readonly id: string }).id}`;
      minted.add(key);
      return new Map([[key, 'active']]);
    },
    `token ${repo} `,
  );
}

async function revoke(world: World, repo: string, minted: ReadonlySet<string>, dice: Dice): Promise<void> {
  const keys = world.ledger
    .settledKeys(`token ${repo} `)
    .filter((key) => world.ledger.get(key) === 'active' && minted.has(key));
  if (keys.length === 0) return;
  const key = dice.pick(keys);
  await world.ledger.change('revocation', new Map([[key, 'revoked']]), async () => {
    const reply = await world.rest('DELETE', `/repos/namespaces/default/tokens/${key.split(' ')[2]}`);
    return outcomeOf(world, 'revocation', reply, 200);
  });
}

interface Resource {
  readonly type: string;
  readonly name: string;
  readonly id: string;
}

async function setTags(world: World, { type, name, id }: Resource, dice: Dice): Promise<void> {
  const key = `tags ${type} ${name}`;
  if (world.ledger.isOpen(key)) return;
  const resource = { resource_type: type, resource_id: id };
  if (world.ledger.get(key) !== undefined && dice.below(4) === 0) {
    await world.ledger.change('removal of tags', new Map([[key, undefined]]), async () => {
      const reply = await world.rest('DELETE', '/tags', resource);
      return outcomeOf(world, 'removal of tags', reply, 204);
    });
    return;
  }
  const tags = Object.fromEntries(
    Array.from({ length: 1 + dice.below(5) }, (_, i) => [`key-${i}`, `value ${dice.below(1_000_000)}`]),
  );
  await world.ledger.change('tags', new Map([[key, tagsFact(tags)]]), async () => {
    const reply = await world.rest('PUT', '/tags', { ...resource, tags });
    return outcomeOf(world, 'tags', reply, 200);
  });
}

async function namespace(world: World, name: string): Promise<void> {
  const key = `namespace ${name}`;
  if (world.ledger.isOpen(key)) return;
  const isThere = world.ledger.get(key) !== undefined;
  await world.ledger.change('namespace', new Map([[key, isThere ? undefined : '']]), async () => {
    const reply = isThere
      ? await world.rest('DELETE', `/repos/namespaces/${name}`)
      : await world.rest('POST', '/repos/namespaces', { namespace: name });
    return outcomeOf(world, 'namespace', reply, isThere ? 204 : 201);
  });
}

/** Deletes a repo with everything that is known to be in it. */
export async function deleteRepo(world: World, repo: string): Promise<void> {
  const { ledger } = world;
  const tags = `tags repository ${repo}`;
  const contents = [`ref ${repo} `, `token ${repo} `].flatMap((beginning) => ledger.keys(beginning));
  const keys = [`repo ${repo}`, ...contents, tags];
  if (keys.some((key) => ledger.isOpen(key))) return;
  await ledger.change('deletion', new Map(keys.map((key) => [key, undefined])), async () => {
    const reply = await world.rest('DELETE', repoPath(repo));
    return outcomeOf(world, 'deletion', reply, 202);
  });
}
