import { join } from 'node:path';
import { runGit } from '@packhouse/fixtures';
import { expect } from 'vitest';
import { commitActor } from './commit-load.ts';
import { fetchActor, gitActor, refActor } from './git-load.ts';
import type { Actor } from './load.ts';
import { repoPath } from './observe.ts';
import { restActor } from './rest-load.ts';
import { remoteGit } from './run-git.ts';
import { refsOf, type World } from './world.ts';

/** Makes the repos that {@link peacefulActors} use. */
export async function makeRepos(world: World): Promise<void> {
  for (const repo of ['seed', 'base', 'shared', 'commits', 'git-0', 'git-1', 'git-2']) {
    const { status, result } = await world.rest('POST', repoPath(), { name: repo });
    expect(status).toBe(201);
    world.tokens.set(repo, (result as { readonly token: string }).token);
  }
  for (const repo of ['seed', 'base']) {
    const remote = world.remote(repo);
    await remoteGit(remote, ['push', '--quiet', '--mirror', remote.remote], world.seed);
  }
}

export function peacefulActors(world: World): readonly Actor[] {
  const seedRefs = refsOf(world.seed);
  const commits = runGit(['rev-list', '--all'], { cwd: world.seed }).toString().trim().split('\n');
  return [
    gitActor(world, 0),
    gitActor(world, 1),
    gitActor(world, 2),
    refActor(world, commits),
    commitActor(world),
    fetchActor(world, seedRefs),
    restActor(world, 0, seedRefs),
    restActor(world, 1, seedRefs),
  ];
}

/** Clones every repo, and expects that it is whole and has exactly the refs that its clients know. */
export async function cloneAll(world: World): Promise<void> {
  for (const key of world.ledger.keys('repo ')) {
    const repo = key.slice('repo '.length);
    const remote = world.remote(repo);
    const clone = join(world.folder, `last-${repo}.git`);
    await remoteGit(remote, ['clone', '--quiet', '--mirror', remote.remote, clone], world.folder);
    // Repos of hostile tenants are complete, but fail a strict check.
    const isHostile = repo.startsWith('hostile');
    runGit(['fsck', ...(isHostile ? ['--connectivity-only'] : ['--full', '--strict'])], { cwd: clone });
    for (const [name, oid] of refsOf(clone)) expect(world.ledger.get(`ref ${repo} ${name}`)).toBe(oid);
  }
}
