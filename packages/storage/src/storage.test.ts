import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { change, hashOf, sampleHead, samplePack, sampleToken, update } from './contract/repo-state-samples.ts';
import { memoryStorage } from './memory-storage.ts';
import { nodeStorage } from './node-storage.ts';
import { FaultyFileSystem } from './packs/faulty-file-system.ts';

const id = 'k3v9p0x2m7q4w8zt';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-storage-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('nodeStorage', () => {
  const dataDir = () => join(folder, 'new', 'data');

  it('keeps everything over a restart, in a database and a folder of packs that are private', async () => {
    const first = nodeStorage({ dataDir: dataDir() });
    const repo = first.repoStorage.repo('local', id, 'default');
    await repo.state.begin(sampleHead(id), sampleToken('t1'));
    const pack = await repo.packs.reserve();
    await repo.packs.put(pack, 'pack', [Uint8Array.of(1, 2, 3)]);
    await repo.state.commit(change([update('refs/heads/main', null, 1)], { addPacks: [samplePack({ id: pack })] }));
    const snapshot = await repo.state.snapshot();
    first.close();
    first.close();
    const second = nodeStorage({ dataDir: dataDir() });
    const again = second.repoStorage.repo('local', id, 'default');
    expect(await again.state.open(hashOf('t1'))).toMatchObject({ kind: 'open', snapshot });
    expect(await again.packs.read(pack, 'pack', [{ offset: 0, length: 3 }])).toEqual([Uint8Array.of(1, 2, 3)]);
    second.close();
    expect(readdirSync(dataDir()).sort()).toEqual(['packhouse.sqlite', 'packs']);
    expect(statSync(dataDir()).mode & 0o777).toBe(0o700);
  });

  it('puts packs where it is told', async () => {
    const fileSystem = new FaultyFileSystem({ folders: [join(dataDir(), 'packs')] });
    const storage = nodeStorage({ dataDir: dataDir(), fileSystem });
    const { packs } = storage.repoStorage.repo('local', id, 'default');
    const pack = await packs.reserve();
    await packs.put(pack, 'idx', [Uint8Array.of(1)]);
    storage.close();
    expect(fileSystem.files).toEqual([join(dataDir(), 'packs', 'local', id, `${pack}.idx`)]);
  });

  it('fails to open a file in place of the folder, or something else in place of the database', () => {
    writeFileSync(join(folder, 'file'), 'x');
    expect(() => nodeStorage({ dataDir: join(folder, 'file') })).toThrow(/EEXIST|ENOTDIR/);
    writeFileSync(
      join(folder, 'packhouse.sqlite'),
      'this is no database, but long enough to be looked at as one'.repeat(20),
    );
    expect(() => nodeStorage({ dataDir: folder })).toThrow(/not a database/);
  });
});

describe('memoryStorage', () => {
  it('gives the same repository for the same account and id', async () => {
    const storage = memoryStorage();
    await storage.repo('a1', id, 'default').state.begin(sampleHead(id), sampleToken('t1'));
    expect(await storage.repo('a1', id, 'default').state.open(hashOf('t1'))).toMatchObject({ kind: 'open' });
    expect(await storage.repo('a2', id, 'default').state.open(hashOf('t1'))).toEqual({ kind: 'gone' });
  });
});
