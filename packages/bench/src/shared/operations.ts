import { randomUUID } from 'node:crypto';
import { fetchPack } from '../client/fetch.ts';
import { pushPack } from '../client/push.ts';
import type { Remote } from '../client/remote.ts';
import { packedRepositoryOfSmallCommits } from '../generate/repository.ts';
import { operationsOf, smallRepository, type Operation, type SmallRepository } from '../measures/measure-everyday.ts';
import { openSource, type Source } from '../measures/source.ts';
import type { Server } from '../servers/server.ts';

/** Repositories to push and clone. */
export interface Inputs {
  /** A commit of one file, whose pack fits into a row. */
  readonly small: SmallRepository;
  /** About 3 MB, which go to the bucket. */
  readonly large: Source;
}

export const makeInputs = async (folder: string): Promise<Inputs> => {
  const large = await openSource(await packedRepositoryOfSmallCommits(100, 3_000_000), folder, 'large');
  return { small: await smallRepository(large.path), large };
};

/** Yields the requests of everyday, and those of a pack in the bucket. */
export async function* sharedOperations(server: Server, { small, large }: Inputs): AsyncGenerator<Operation> {
  yield* operationsOf(server, small);
  const push = (remote: Remote): Promise<void> => pushPack(remote, large.changes, large.packFile);
  yield {
    title: 'push of 3 MB',
    prepare: () => server.createRepository(`large-${randomUUID()}`),
    run: (remote) => push(remote as Remote),
  };
  const pushed = await server.createRepository(`large-${randomUUID()}`);
  await push(pushed);
  yield { title: 'clone of 3 MB', run: () => fetchPack(pushed, large.clone) };
}

/** The first clone of 3 MB from another server than the one that received them. */
export const cloneElsewhere = (here: Server, there: Server, { large }: Inputs): Operation => ({
  title: 'clone of 3 MB, first from another server',
  async prepare() {
    const remote = await there.createRepository(`large-${randomUUID()}`);
    await pushPack(remote, large.changes, large.packFile);
    return { ...remote, url: new URL(new URL(remote.url).pathname, here.origin).href };
  },
  run: (remote) => fetchPack(remote as Remote, large.clone),
});
