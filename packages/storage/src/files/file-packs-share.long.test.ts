import { packFiles, StorageError, type PackId } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import { sampleBytes } from '@packhouse/git/contract';
import {
  FaultyFileSystem,
  type Fault,
  type FaultyFileSystemOptions,
  type FileOperation,
} from '../testing/faulty-file-system.ts';
import { filePacks } from './file-packs.ts';

const root = '/data/packs';
const [parent, child] = ['k3v9p0x2m7q4w8zt', 'k3v9p0x2m7q4w8zu'];
const contents = sampleBytes(1_100_000, 4);
const sizes = { pack: 1_100_000, idx: 20_000, graph: 300 } as const;
const ways = [
  ['further names', undefined],
  ['copies, where there are none', 'EPERM'],
] as const;

/** Makes a disk with two durable packs of the parent. `options` set the later faults and the clock. */
async function diskWithPacks(options: FaultyFileSystemOptions = {}): Promise<[FaultyFileSystem, readonly PackId[]]> {
  const before = new FaultyFileSystem({ folders: [root], now: () => 1_000 });
  const store = filePacks(root, before).repo('local', parent);
  const ids = [await store.reserve(), await store.reserve()];
  for (const id of ids) for (const file of packFiles) await store.put(id, file, [contents.subarray(0, sizes[file])]);
  return [before.afterPowerCut(undefined, options), ids];
}

/** Returns the files of a repository; throws if one is not whole. */
async function wholeFiles(disk: FaultyFileSystem, repo: string): Promise<string[]> {
  const store = filePacks(root, disk).repo('local', repo);
  const folder = `${root}/local/${repo}/`;
  const names = disk.files.filter((path) => path.startsWith(folder) && !path.endsWith('.tmp'));
  for (const name of names.map((path) => path.slice(folder.length))) {
    const file = packFiles.find((one) => name.endsWith(`.${one}`));
    if (file === undefined) throw new Error(`a file named ${name}`);
    const [read] = await store.read(name.slice(0, 32) as PackId, file, [{ offset: 0, length: sizes[file] }]);
    if (read === undefined || Buffer.compare(read, contents.subarray(0, sizes[file])) !== 0) throw new Error('damaged');
  }
  return names;
}

const share = (disk: FaultyFileSystem, ids: readonly PackId[]): Promise<boolean> =>
  filePacks(root, disk).share('local', parent, child, ids);

describe.each(ways)('packs that are shared by %s', async (_, linkRefusal) => {
  const refusal = linkRefusal === undefined ? {} : { linkRefusal };
  const [peaceful, packs] = await diskWithPacks(refusal);
  await share(peaceful, packs);
  const indices = Array.from({ length: peaceful.operations + 1 }, (_, index) => index);

  it('needs the expected number of operations', () => {
    // The folder, and for each pack three links and their folder.
    expect(peaceful.operations).toBe(linkRefusal === undefined ? 11 : 43);
  });

  it('REPO-124: writes nothing if links are possible', async () => {
    const kinds: FileOperation['kind'][] = [];
    const [disk, ids] = await diskWithPacks({ ...refusal, fault: ({ kind }) => void kinds.push(kind) });
    expect(await share(disk, ids)).toBe(true);
    expect(kinds.includes('write')).toBe(linkRefusal !== undefined);
    expect(kinds.filter((kind) => kind === 'link')).toHaveLength(6);
    expect(await wholeFiles(disk, child)).toHaveLength(6);
  });

  it.each(indices)('GIT-153, GIT-155: a power cut at operation %d leaves whole files that are swept', async (index) => {
    for (const keep of [() => false, () => true, () => index++ % 3 === 0]) {
      const [disk, ids] = await diskWithPacks({ ...refusal, fault: faultAt(index, 'power cut') });
      const isShared = await share(disk, ids).catch(() => false);
      const after = disk.afterPowerCut(keep, refusal);
      expect(await wholeFiles(after, parent)).toHaveLength(6);
      const found = await wholeFiles(after, child);
      if (isShared) expect(found).toHaveLength(6);
      // For the next process, no fork is running, so all files are old.
      const store = filePacks(root, after).repo('local', child);
      const left = await store.leftovers(Date.now() + 1);
      for (const id of left) await store.remove(id);
      expect(after.files).toHaveLength(6);
      expect(await wholeFiles(after, parent)).toHaveLength(6);
      expect(await share(after, ids)).toBe(true);
      expect(await wholeFiles(after, child)).toHaveLength(6);
    }
  });

  it.each(indices.slice(0, -1).flatMap((index) => [[index, 'fail'] as const, [index, 'fail late'] as const]))(
    'fails if operation %d is to %s, and succeeds when repeated',
    async (index, fault) => {
      const [disk, ids] = await diskWithPacks({ ...refusal, fault: faultAt(index, fault) });
      const failure = await share(disk, ids).catch((error: unknown) => error);
      // A link that is refused late is still refused.
      if (failure !== true || linkRefusal === undefined) expect(failure).toBeInstanceOf(StorageError);
      await wholeFiles(disk, child);
      expect(await share(disk, ids)).toBe(true);
      const after = disk.afterPowerCut();
      expect(await wholeFiles(after, child)).toHaveLength(6);
      expect(await wholeFiles(after, parent)).toHaveLength(6);
    },
  );
});

function faultAt(index: number, fault: Fault): (operation: FileOperation) => Fault | undefined {
  return (operation) => (operation.index === index ? fault : undefined);
}

describe('packs that are shared by files', () => {
  it.each(['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'])(
    'are copied if a link fails with %s',
    async (linkRefusal) => {
      const [disk, ids] = await diskWithPacks({ linkRefusal });
      expect(await share(disk, ids)).toBe(true);
      expect(await wholeFiles(disk.afterPowerCut(), child)).toHaveLength(6);
    },
  );

  it.each(['EIO', 'ENOSPC', 'EACCES'])('are not copied if it fails with %s', async (linkRefusal) => {
    const [disk, ids] = await diskWithPacks({ linkRefusal });
    await expect(share(disk, ids)).rejects.toThrow(`Cannot share packs: ${linkRefusal}`);
    expect(disk.files).toHaveLength(6);
  });

  it('GIT-153: do not count as old in the process that shares them, only in the next', async () => {
    let now = 5_000_000;
    const [disk, ids] = await diskWithPacks();
    const packs = filePacks(root, disk, { now: () => now });
    await packs.share('local', parent, child, ids);
    const [own, next] = [packs, filePacks(root, disk)].map((each) => each.repo('local', child));
    expect(await own?.leftovers(5_000_000)).toEqual([]);
    expect(await next?.leftovers(5_000_000)).toHaveLength(2);
    now = 6_000_000;
    await packs.share('local', parent, child, ids.slice(0, 1));
    expect(await own?.leftovers(5_000_001)).toEqual(ids.slice(1));
    expect(await own?.leftovers(6_000_001)).toHaveLength(2);
  });

  it('are reported as missing if the parent has lost a file', async () => {
    for (const lost of packFiles) {
      const [disk, ids] = await diskWithPacks();
      await disk.remove(`${root}/local/${parent}/${ids[1]}.${lost}`);
      expect(await share(disk, ids)).toBe(false);
    }
  });
});
