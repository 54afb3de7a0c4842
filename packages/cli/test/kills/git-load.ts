import { createCipheriv } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '@packhouse/fixtures';
import { discover, fetchBody, post, push, type Command } from '@packhouse/conformance/tools/wire-client';
import { pack } from '@packhouse/conformance/tools/made-objects';
import type { Dice } from '@packhouse/conformance/tools/dice';
import type { Actor } from './load.ts';
import { authOf, remoteGit, startGit } from './run-git.ts';
import type { Changes } from './ledger.ts';
import type { World } from './world.ts';

/** Too large for rows. */
export const largeFile = 1_800_000;
const zero = '0'.repeat(40);

/** Pushes and deletes branches and tags with stock `git`, in a private repo and in a shared one. */
export function gitActor(world: World, number: number): Actor {
  const own = `git-${number}`;
  const local = join(world.folder, `${own}.git`);
  runGit(['init', '--quiet', '--bare', local]);
  const refName = (repo: string, dice: Dice): string =>
    `refs/${dice.below(5) === 0 ? 'tags' : 'heads'}/${repo === own ? '' : `${own}/`}r${dice.below(6)}`;

  const change = async (dice: Dice): Promise<void> => {
    const repo = dice.below(3) === 0 ? 'shared' : own;
    const count = dice.below(4) === 0 ? 3 : 1;
    const changes = new Map<string, string | undefined>();
    const specs: string[] = [];
    for (let i = 0; i < count; i++) {
      const ref = refName(repo, dice);
      const key = `ref ${repo} ${ref}`;
      if (changes.has(key) || world.ledger.isOpen(key)) continue;
      const old = world.ledger.get(key);
      if (old !== undefined && dice.below(4) === 0) {
        changes.set(key, undefined);
        specs.push(`:${ref}`);
        continue;
      }
      // A branch that starts again leaves unreachable objects for maintenance to collect.
      const value = await makeCommit(local, dice, dice.below(3) === 0 ? undefined : old);
      changes.set(key, value);
      specs.push(`+${value}:${ref}`);
    }
    if (specs.length === 0) return;
    const atomic = dice.below(2) === 0 ? ['--atomic'] : [];
    const remote = world.remote(repo);
    const kind = [...changes.values()].every((value) => value === undefined) ? 'deletion of refs' : 'push';
    await world.ledger.change(kind, changes, async () => {
      const pushed = await startGit([...authOf(remote), 'push', '--quiet', ...atomic, remote.remote, ...specs], local);
      if (pushed.status === 0) return new Map();
      if (/internal error|corrupt|missing/i.test(pushed.err) && !world.isOutage(pushed.err))
        world.problems.push(`git push: ${pushed.err}`);
      // A reply may reject one ref and accept others.
      return undefined;
    });
  };

  return {
    name: own,
    async step(dice) {
      if (dice.below(8) > 0) return change(dice);
      // A clone has everything that was pushed.
      const remote = world.remote(own);
      await startGit([...authOf(remote), 'fetch', '--quiet', remote.remote, '+refs/*:refs/copies/*'], local);
    },
    rest: () => renew(world, own, local),
  };
}

/** Replaces the local repository, which grows, by a clone. */
async function renew(world: World, repo: string, local: string): Promise<void> {
  const remote = world.remote(repo);
  rmSync(local, { recursive: true });
  await remoteGit(remote, ['clone', '--quiet', '--mirror', remote.remote, local], world.folder);
  runGit(['fsck', '--full', '--strict'], { cwd: local });
}

/** Makes a commit of one file with one process. Returns its id. */
async function makeCommit(local: string, dice: Dice, wanted: string | undefined): Promise<string> {
  const size = dice.below(6) === 0 ? largeFile : 200 + dice.below(5_000);
  const isThere = wanted !== undefined && (await startGit(['cat-file', '-e', wanted], local)).status === 0;
  const head = `commit refs/work\nmark :1\ncommitter Ada <ada@example.com> ${1_700_000_000 + dice.below(1_000_000)} +0000\ndata 0\n`;
  const from = isThere ? `from ${wanted}\ndeleteall\n` : '';
  const file = `M 100644 inline file\ndata ${size}\n`;
  const input = Buffer.concat([Buffer.from(head + from + file), noise(size, dice), Buffer.from('\nget-mark :1\n')]);
  const made = await startGit(['fast-import', '--quiet', '--force'], local, input);
  if (made.status !== 0) throw new Error(`no commit was made: ${made.err}`);
  return made.out.trim();
}

/** Returns bytes that do not compress. */
export function noise(size: number, dice: Dice): Buffer {
  const key = Buffer.alloc(16);
  key.writeUInt32BE(dice.below(2 ** 32));
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size));
}

/** Creates, moves and deletes many refs to existing commits at once, without a pack. */
export function refActor(world: World, commits: readonly string[]): Actor {
  return {
    name: 'refs',
    async step(dice) {
      const changes = new Map<string, string | undefined>();
      const commands: Command[] = [];
      for (let left = 1 + dice.below(40); left > 0; left--) {
        const ref = `refs/heads/r/${dice.below(300)}`;
        const key = `ref base ${ref}`;
        if (changes.has(key) || world.ledger.isOpen(key)) continue;
        const old = world.ledger.get(key);
        const value = old !== undefined && dice.below(2) === 0 ? undefined : dice.pick(commits);
        if (old === undefined && value === undefined) continue;
        changes.set(key, value);
        commands.push({ ref, old: old ?? zero, new: value ?? zero });
      }
      if (commands.length === 0) return;
      await world.ledger.change('update of refs', changes, async () => {
        const isDeletion = commands.every(({ new: value }) => value === zero);
        const report = await push(world.remote('base'), commands, isDeletion ? undefined : pack());
        const isDone = report.length === commands.length + 1 && report.every((line) => /^(unpack )?ok/.test(line));
        if (!isDone && !world.isOutage(report.join())) {
          world.problems.push(`update of refs: ${report.join(', ').slice(0, 500)}`);
        }
        return isDone ? new Map() : undefined;
      });
    },
  };
}

/** Fetches during the writes, and aborts some of the fetches. */
export function fetchActor(world: World, wants: ReadonlyMap<string, string>): Actor {
  return {
    name: 'fetch',
    async step(dice) {
      const repo = dice.pick(['seed', 'seed', 'base', 'shared', 'git-0']);
      if (dice.below(3) === 0) {
        const folder = join(world.folder, 'clone.git');
        const remote = world.remote(repo);
        const cloned = await startGit(
          [...authOf(remote), 'clone', '--quiet', '--bare', remote.remote, folder],
          world.folder,
        );
        if (/internal error|corrupt/i.test(cloned.err) && !world.isOutage(cloned.err))
          world.problems.push(`git clone: ${cloned.err}`);
        if (existsSync(folder)) rmSync(folder, { recursive: true });
      } else if (dice.below(2) === 0) {
        await post(world.remote('seed'), fetchBody([...wants.values()], []));
      } else {
        await discover(world.remote(repo));
      }
    },
  };
}

/** Returns the changes that creating a repo with these refs makes. */
export function repoChanges(repo: string, fact: string, refs: ReadonlyMap<string, string>): Changes {
  return new Map([[`repo ${repo}`, fact], ...[...refs].map(([name, oid]) => [`ref ${repo} ${name}`, oid] as const)]);
}
