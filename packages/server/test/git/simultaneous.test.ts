/**
 * Pushes that bring the same objects while none of them knows of the others (GIT-157): their commits are made to meet,
 * which takes a way into the engine. Without it they race among the conformance cases.
 */

import { join } from 'node:path';
import { createGitEngine, uploadPack, type RepoChange } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import type { HostedRepoState } from '@packhouse/hosting';
import { FaultyFileSystem } from '@packhouse/storage/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { git } from '../support/git.ts';
import { change, commit, pack, tag, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { openUnderFaults, packsFolder, type RepositoryUnderFaults } from '../support/repository-under-faults.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';
import { fetchBody, packOf, pushBody, set } from '@packhouse/conformance/tools/wire-client';

const base = change('base');
let folder: string;
let repository: RepositoryUnderFaults;
/** Commits wait until there are as many. */
let together = 1;
let waiting: (() => void)[] = [];

beforeEach(async () => {
  folder = makeFolder();
  together = 1;
  repository = await openUnderFaults({
    dataDir: folder,
    fileSystem: new FaultyFileSystem({ folders: [packsFolder(folder)] }),
    around: meeting,
  });
  expect(await push('refs/heads/base', base, base.all)).toEqual(['unpack ok', 'ok refs/heads/base']);
});

afterEach(() => {
  repository.close();
  removeFolder(folder);
});

function meeting(state: HostedRepoState): HostedRepoState {
  const commitTogether = async (made: RepoChange): ReturnType<HostedRepoState['commit']> => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length < together) return;
      for (const go of waiting) go();
      waiting = [];
    });
    return state.commit(made);
  };
  return new Proxy(state, {
    get(target, name) {
      if (name === 'commit') return commitTogether;
      const method = Reflect.get(target, name) as unknown;
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

function push(ref: string, value: MadeObject, objects: readonly MadeObject[]): Promise<string[] | undefined> {
  return repository.push(pushBody([set(ref, value)], pack(...objects)));
}

/** Fetches with a fresh engine, and lets stock git index and check what comes. */
async function expectFetch(
  wants: readonly MadeObject[],
  haves: readonly MadeObject[],
  expected: readonly MadeObject[],
): Promise<void> {
  const snapshot = await repository.repo.state.snapshot();
  if (snapshot === undefined) throw new Error('no snapshot');
  const ids = (objects: readonly MadeObject[]): string[] => objects.map(({ oid }) => oid);
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    yield fetchBody(ids(wants), ids(haves));
  }
  const options = {
    version: 2,
    hiddenRefs: [],
    bodyMax: 1_000_000,
    keepAlive: 60_000,
    failed: () => expect.unreachable(),
  } as const;
  const reply = await uploadPack(createGitEngine({ codec: nodeCodec() }), repository.repo, snapshot, body(), options);
  const sent = packOf(Buffer.from(await new Response(reply.body as BodyInit).arrayBuffer()));
  const client = join(folder, `client-${Math.random()}.git`);
  await git(['init', '--quiet', '--bare', client]);
  await git(['index-pack', '--stdin'], { cwd: client, input: sent });
  const found = await git(['cat-file', '--batch-check=%(objectname)', '--batch-all-objects'], { cwd: client });
  expect(found.trim().split('\n')).toEqual([...new Set(ids(expected))].sort());
}

describe('pushes at the same time of the same objects', () => {
  const shared = change('shared', base);
  const above = change('above', shared);
  const aside = commit('aside', tree({ other: shared.file }), [base]);
  const asideAll = [aside, tree({ other: shared.file }), shared.file];
  const tagged = tag('shared', shared);

  it('GIT-157, GIT-066: an object of several packs is sent once', async () => {
    together = 4;
    const reports = await Promise.all([
      push('refs/heads/shared', shared, shared.all),
      push('refs/heads/above', above, [...above.all, ...shared.all]),
      push('refs/heads/aside', aside, asideAll),
      push('refs/tags/shared', tagged, [tagged, ...shared.all]),
    ]);
    together = 1;
    expect(reports.map((report) => report?.[0])).toEqual(Array.from({ length: 4 }, () => 'unpack ok'));
    expect(reports.every((report) => report?.[1]?.startsWith('ok '))).toBe(true);
    expect(await repository.problems()).toEqual([]);
    const all = [...base.all, ...shared.all, ...above.all, ...asideAll, tagged];
    await expectFetch([base, shared, above, aside, tagged], [], all);
    await expectFetch([above, tagged], [base], [...shared.all, ...above.all, tagged]);
    await expectFetch([aside], [shared], [aside, tree({ other: shared.file })]);
    await expectFetch([above], [shared], above.all);
    // What is built on top of any of them goes on well.
    const merge = commit('merge', tree({ file: above.file, other: shared.file }), [above, aside]);
    const mergeAll = [merge, tree({ file: above.file, other: shared.file })];
    expect(await push('refs/heads/merge', merge, mergeAll)).toEqual(['unpack ok', 'ok refs/heads/merge']);
    expect(await repository.problems()).toEqual([]);
    await expectFetch(
      [merge, tagged],
      [base],
      [...all, ...mergeAll].filter((object) => !base.all.includes(object)),
    );
    await expectFetch([merge], [above, aside], mergeAll);
  });

  it('GIT-157: the same push twice at once, then all of it again', async () => {
    together = 2;
    const all = [...shared.all, ...above.all];
    const both = await Promise.all([push('refs/heads/a', above, all), push('refs/heads/b', above, all)]);
    together = 1;
    expect(both).toEqual([
      ['unpack ok', 'ok refs/heads/a'],
      ['unpack ok', 'ok refs/heads/b'],
    ]);
    expect(await push('refs/heads/c', above, all)).toEqual(['unpack ok', 'ok refs/heads/c']);
    expect(await repository.problems()).toEqual([]);
    await expectFetch([above], [], [...base.all, ...all]);
    await expectFetch([above], [shared], above.all);
  });
});
