import type { RepoChange } from '@packhouse/git';
import type { HostedRepoState } from '@packhouse/hosting';
import { wholeState } from '@packhouse/git/contract';
import { FaultyFileSystem } from '@packhouse/storage/testing';
import { change, pack } from '@packhouse/conformance/tools/made-objects';
import { pushBody, set } from '@packhouse/conformance/tools/wire-client';
import { expect, it } from 'vitest';
import { openUnderFaults, packsFolder } from '../support/repository-under-faults.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';

it('REPO-190: a push whose events have no room is refused, leaves nothing, and succeeds when there is some', async () => {
  const folder = makeFolder();
  let isFull = true;
  const repository = await openUnderFaults({
    dataDir: folder,
    fileSystem: new FaultyFileSystem({ folders: [packsFolder(folder)] }),
    around: (state) => full(state, () => isFull),
    partSize: 1_000_000,
  });
  try {
    const main = 'refs/heads/main';
    const first = change('first');
    const push = (): Promise<string[] | undefined> => repository.push(pushBody([set(main, first)], pack(...first.all)));
    const reason = 'too many events wait';
    expect(await push()).toEqual([`unpack ${reason}`, `ng ${main} ${reason}`]);
    expect(await wholeState(repository.repo.state)).toMatchObject({ refs: [], packs: [] });
    expect(await repository.repo.packs.leftovers(Number.MAX_SAFE_INTEGER)).toEqual([]);
    isFull = false;
    expect(await push()).toEqual(['unpack ok', `ok ${main}`]);
  } finally {
    repository.close();
    removeFolder(folder);
  }
});

/** Wraps a state so that it rejects events while `isFull` returns true. */
function full(state: HostedRepoState, isFull: () => boolean): HostedRepoState {
  const commit = async (made: RepoChange): ReturnType<HostedRepoState['commit']> =>
    isFull() ? { kind: 'events full' } : state.commit(made);
  return new Proxy(state, {
    get(target, name) {
      if (name === 'commit') return commit;
      const method = Reflect.get(target, name) as unknown;
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}
