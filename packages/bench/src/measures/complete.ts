import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fetchPack, type FetchRequest } from '../client/fetch.ts';
import type { Remote } from '../client/remote.ts';
import { runGit } from '../internal/run-git.ts';
import type { Source } from './source.ts';

/** Returns the number of objects that a fetch must bring, according to stock Git. */
const expectedObjects = async (source: Source, { wants, haves, filter, isShallow }: FetchRequest): Promise<number> => {
  const input = [...wants.map((id) => `${id}\n`), ...haves.map((id) => `^${id}\n`)].join('');
  const limits = [
    ...(isShallow === true ? ['--no-walk'] : []),
    ...(filter === undefined ? [] : [`--filter=${filter}`]),
  ];
  const args = ['rev-list', '--objects', '--no-object-names', ...limits, '--stdin'];
  const listing = await runGit(args, { cwd: source.path, input });
  return listing === '' ? 0 : listing.split('\n').length;
};

const countObjects = async (path: string): Promise<number> => {
  const counts = await runGit(['count-objects', '-v'], { cwd: path });
  return Number(/^in-pack: (\d+)$/m.exec(counts)?.[1]);
};

/**
 * Fetches once outside of any measurement. Throws unless the pack is valid and has every required object: a server that
 * omits objects would be fast. The pack may be thin if the client has objects.
 */
export const checkCompleteFetch = async (remote: Remote, source: Source, wanted: FetchRequest): Promise<void> => {
  const packFile = join(source.path, 'received.pack');
  const file = createWriteStream(packFile);
  await fetchPack(remote, wanted, (bytes) => file.write(Buffer.from(bytes)));
  file.end();
  await finished(file);
  const kept = join(source.path, 'received.git');
  await runGit(['init', '--quiet', '--bare', kept]);
  if (wanted.haves.length > 0) {
    await runGit(['fetch', '--quiet', source.path, ...wanted.haves], { cwd: kept });
  }
  await runGit(['index-pack', '--stdin', '--fix-thin'], { cwd: kept, input: createReadStream(packFile) });
  const isWhole = wanted.filter === undefined && wanted.isShallow !== true;
  // Stock Git cannot walk a part, but that has no bases beside it, so its pack has just what was sent.
  const received = isWhole ? await expectedObjects({ ...source, path: kept }, wanted) : await countObjects(kept);
  const expected = await expectedObjects(source, wanted);
  if (received !== expected) throw new Error(`${remote.url} sent ${received} of ${expected} objects`);
  await Promise.all([rm(kept, { recursive: true, force: true }), rm(packFile)]);
};
