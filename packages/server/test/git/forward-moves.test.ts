/**
 * Detects forward moves of refs. A move that is not forward keeps the old value for the grace, and stops the service
 * from sending the repository's only pack as stored. Clients cannot see this, so the tests examine the change itself.
 */

import type { RefUpdate, RepoChange, RepoSnapshot } from '@packhouse/git';
import type { HostedRepoState } from '@packhouse/hosting';
import { FaultyFileSystem } from '@packhouse/storage/testing';
import { change, commit, pack, tag, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { pushBody, remove, set, type Command } from '@packhouse/conformance/tools/wire-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openUnderFaults, packsFolder, type RepositoryUnderFaults } from '../support/repository-under-faults.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';

const main = 'refs/heads/main';
const side = 'refs/heads/side';
const first = change('first');
const second = change('second', first);
const other = change('other', first);
const merge = commit('merge', second.root, [other, second]);

let folder: string;
let repository: RepositoryUnderFaults;
let last: RepoChange | undefined;

beforeEach(async () => {
  folder = makeFolder();
  repository = await openUnderFaults({
    dataDir: folder,
    fileSystem: new FaultyFileSystem({ folders: [packsFolder(folder)] }),
    around: watched,
  });
});

afterEach(async () => {
  expect(await repository.problems()).toEqual([]);
  repository.close();
  removeFolder(folder);
});

function watched(state: HostedRepoState): HostedRepoState {
  return new Proxy(state, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== 'function') return method;
      if (name !== 'commit') return method.bind(target) as unknown;
      return (made: RepoChange) => {
        last = made;
        return target.commit(made);
      };
    },
  });
}

/** Pushes, and returns for each command if the service treated it as a forward move. */
async function forward(commands: readonly Command[], objects: readonly MadeObject[] = []): Promise<boolean[]> {
  const needsPack = commands.some((command) => !/^0+$/.test(command.new));
  const report = await repository.push(pushBody(commands, needsPack ? pack(...objects) : Buffer.alloc(0)));
  expect(report).toEqual(['unpack ok', ...commands.map(({ ref }) => `ok ${String(ref)}`)]);
  return (last as RepoChange).updates.map((update: RefUpdate) => update.forward);
}

/** Values that refs have left, newest first. */
async function left(): Promise<string[]> {
  return ((await repository.repo.state.snapshot()) as RepoSnapshot).retiredTips.map(({ oid }) => oid);
}

it('GIT-061: creations and moves to what reaches the old value are forward, with and without new objects', async () => {
  expect(await forward([set(main, first), set(side, first)], first.all)).toEqual([true, true]);
  // What comes, what lies there already, and a merge whose first parent is not the old value.
  expect(await forward([set(main, second, first)], second.all)).toEqual([true]);
  expect(await forward([set(side, second, first)])).toEqual([true]);
  expect(await forward([set(main, merge, second), set(side, merge, second)], [merge, ...other.all])).toEqual([
    true,
    true,
  ]);
  expect(await forward([set(main, merge, merge)])).toEqual([true]);
  expect(await left()).toEqual([]);
});

it('GIT-061, LIM-064: what is moved back, aside or deleted leaves its value', async () => {
  await forward([set(main, second)], [...first.all, ...second.all]);
  expect(await forward([set(main, first, second)])).toEqual([false]);
  expect(await forward([set(main, other, first)], other.all)).toEqual([true]);
  expect(await forward([set(main, second, other)])).toEqual([false]);
  expect(await forward([remove(main, second)])).toEqual([false]);
  expect(new Set(await left())).toEqual(new Set([second.oid, other.oid]));
});

it('GIT-061: a tag that names another tag or commit was moved, and one that comes to name the old tag is forward', async () => {
  const ref = 'refs/tags/v1';
  const [one, two] = [tag('one', first), tag('two', first)];
  await forward([set(ref, one)], [one, ...first.all]);
  expect(await forward([set(ref, two, one)], [two])).toEqual([false]);
  const over = tag('over', two);
  expect(await forward([set(ref, over, two)], [over])).toEqual([true]);
  expect(await left()).toEqual([one.oid]);
});

it('GIT-078: the one pack of a repository stays exact while all moves are forward', async () => {
  const exact = async () => ((await repository.repo.state.snapshot()) as RepoSnapshot).packs.map((one) => one.exact);
  await forward([set(main, second), set(side, first)], [...first.all, ...second.all]);
  expect(await exact()).toEqual([true]);
  await forward([set(side, second, first)]);
  expect(await exact()).toEqual([true]);
  await forward([set(side, first, second)]);
  expect(await exact()).toEqual([false]);
});
