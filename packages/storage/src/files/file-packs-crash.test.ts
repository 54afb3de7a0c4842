import { packFiles, StorageError, type PackFile, type PackId } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import { collected, equalBytes, sampleBytes } from '@packhouse/git/contract';
import { FaultyFileSystem, type Fault } from '../testing/faulty-file-system.ts';
import { filePacks } from './file-packs.ts';

const repo = 'k3v9p0x2m7q4w8zt';
const folders = ['/data/packs'];
const contents: Readonly<Record<PackFile, Uint8Array>> = {
  pack: sampleBytes(40_000, 1),
  idx: sampleBytes(20_000, 2),
  graph: sampleBytes(300, 3),
};

/** Stores two packs like pushes, one by upload. Returns the files that the store reported as safe. */
async function push(
  fileSystem: FaultyFileSystem,
): Promise<{ readonly ids: readonly PackId[]; readonly safe: ReadonlySet<string> }> {
  const store = filePacks('/data/packs', fileSystem).repo('local', repo);
  const ids = [await store.reserve(), await store.reserve()];
  const safe = new Set<string>();
  const attempt = async (id: PackId, file: PackFile, work: () => Promise<void>) => {
    await work().then(
      () => safe.add(`${id}.${file}`),
      () => undefined,
    );
  };
  for (const [i, id] of ids.entries()) {
    if (i === 0) await attempt(id, 'pack', () => store.put(id, 'pack', [contents.pack]));
    else {
      await attempt(id, 'pack', async () => {
        const upload = await store.upload(id);
        try {
          await upload.write(0, contents.pack);
          await upload.complete(contents.pack.length);
        } catch (error) {
          await upload.abort();
          throw error;
        }
      });
    }
    await Promise.all(
      (['idx', 'graph'] as const).map((file) => attempt(id, file, () => store.put(id, file, [contents[file]]))),
    );
  }
  return { ids, safe };
}

/** Returns `whole`, `absent`, or the forbidden `damaged`. */
async function stateOf(
  fileSystem: FaultyFileSystem,
  id: PackId,
  file: PackFile,
): Promise<'whole' | 'absent' | 'damaged'> {
  if (!fileSystem.files.includes(`/data/packs/local/${repo}/${id}.${file}`)) return 'absent';
  const store = filePacks('/data/packs', fileSystem).repo('local', repo);
  const expected = contents[file];
  try {
    const bytes =
      file === 'pack'
        ? await collected(store.stream(id))
        : (await store.read(id, file, [{ offset: 0, length: expected.length }]))[0];
    return bytes !== undefined && equalBytes(bytes, expected) ? 'whole' : 'damaged';
  } catch {
    return 'damaged';
  }
}

/** Makes a file system with one fault, at operation `index`. */
function faultAt(index: number, fault: Fault): FaultyFileSystem {
  return new FaultyFileSystem({ folders, fault: (operation) => (operation.index === index ? fault : undefined) });
}

/** Makes a coin that is deterministic for a seed. */
function coin(seed: number): () => boolean {
  const bytes = sampleBytes(4_096, seed + 1);
  let at = 0;
  return () => ((bytes[at++ % bytes.length] ?? 0) & 16) === 0;
}

describe('files and power cuts', async () => {
  const peaceful = new FaultyFileSystem({ folders });
  await push(peaceful);
  const total = peaceful.operations;
  const indices = Array.from({ length: total + 1 }, (_, index) => index);

  it('counts the operations of two packs', () => {
    expect(total).toBeGreaterThan(25);
  });

  it.each(indices)(
    'GIT-155: a power cut at operation %d loses no file that was reported as safe, and shows no unfinished one',
    async (index) => {
      const survivals: (() => boolean)[] = [
        () => false,
        () => true,
        ...Array.from({ length: 6 }, (_, seed) => coin(seed * 100 + index)),
      ];
      for (const keep of survivals) {
        const before = faultAt(index, 'power cut');
        const { ids, safe } = await push(before);
        const after = before.afterPowerCut(keep);
        for (const id of ids) {
          for (const file of packFiles) {
            const state = await stateOf(after, id, file);
            if (safe.has(`${id}.${file}`)) expect(state).toBe('whole');
            expect(state).not.toBe('damaged');
          }
        }
        // GIT-153: the same push then succeeds, and leftovers can be found and removed.
        expect((await push(after)).safe.size).toBe(6);
        const store = filePacks('/data/packs', after).repo('local', repo);
        for (const id of await store.leftovers(Date.now() + 1_000)) await store.remove(id);
        expect(after.files).toEqual([]);
      }
    },
  );

  it.each(indices.flatMap((index) => [[index, 'fail'] as const, [index, 'fail late'] as const]))(
    'GIT-153: when operation %d is to %s, the file is absent if the store failed, and the others are whole',
    async (index, fault) => {
      const fileSystem = faultAt(index, fault);
      const { ids, safe } = await push(fileSystem);
      expect(safe.size).toBeGreaterThanOrEqual(4);
      for (const id of ids) {
        for (const file of packFiles)
          expect(await stateOf(fileSystem, id, file)).toBe(safe.has(`${id}.${file}`) ? 'whole' : 'absent');
      }
      // No partial file remains while the process lives.
      expect(fileSystem.files).toHaveLength(safe.size);
      const after = fileSystem.afterPowerCut();
      for (const name of safe) {
        const [id = '', file = ''] = name.split('.');
        expect(await stateOf(after, id as PackId, file as PackFile)).toBe('whole');
      }
    },
  );

  it.each(['fail', 'fail late'] as const)('completes no upload of which a write was to %s', async (fault) => {
    const fileSystem = new FaultyFileSystem({
      folders,
      fault: ({ kind, index }) => (kind === 'write' && index < 6 ? fault : undefined),
    });
    const store = filePacks('/data/packs', fileSystem).repo('local', repo);
    const upload = await store.upload(await store.reserve());
    await expect(upload.write(0, contents.pack)).rejects.toThrow(StorageError);
    await expect(upload.complete(contents.pack.length)).rejects.toThrow(StorageError);
    await expect(upload.write(1, contents.pack)).rejects.toThrow(StorageError);
    await upload.abort();
    expect(fileSystem.files).toEqual([]);
  });

  it('does not complete an upload while a part is being written', async () => {
    const fileSystem = new FaultyFileSystem({ folders });
    const store = filePacks('/data/packs', fileSystem).repo('local', repo);
    const upload = await store.upload(await store.reserve());
    const writing = upload.write(0, contents.pack);
    await expect(upload.complete(contents.pack.length)).rejects.toThrow(StorageError);
    await writing.catch(() => undefined);
    expect(fileSystem.files).toEqual([]);
  });

  it('REPO-118: a power cut does not restore a removed pack', async () => {
    const before = new FaultyFileSystem({ folders });
    const { ids } = await push(before);
    const store = filePacks('/data/packs', before).repo('local', repo);
    for (const id of ids) await store.remove(id);
    expect(before.afterPowerCut().files).toEqual([]);
  });

  it('detects a disk that lies about a sync', async () => {
    const damaged = await Promise.all(
      indices.map(async (index) => {
        const fileSystem = faultAt(index, 'lost');
        const { safe } = await push(fileSystem);
        const after = fileSystem.afterPowerCut();
        const states = await Promise.all(
          [...safe].map((name) => stateOf(after, name.slice(0, 32) as PackId, name.slice(33) as PackFile)),
        );
        return states.some((state) => state !== 'whole');
      }),
    );
    expect(damaged.filter(Boolean).length).toBeGreaterThan(12);
  });
});
