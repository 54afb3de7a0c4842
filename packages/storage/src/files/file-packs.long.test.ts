import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PackId } from '@packhouse/git';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testPackStore } from '@packhouse/git/contract';
import { FaultyFileSystem } from '../testing/faulty-file-system.ts';
import type { PackStores } from '../packs/pack-stores.ts';
import { filePacks } from './file-packs.ts';
import { nodeFileSystem } from './node-file-system.ts';

const repo = 'k3v9p0x2m7q4w8zt';
const other = 'k3v9p0x2m7q4w8zu';
const capabilities = { refusesSecondPut: false, removesUnfinished: true };

/** Counts open files of one folder: on Bun, tests of other files run in threads of the same process. */
function openFilesIn(folder: string): number {
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
    } catch {
      // Closed since it was listed.
      return false;
    }
  }).length;
}

testPackStore(
  'files on disk',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'packhouse-packs-'));
    const packs = filePacks(root, nodeFileSystem);
    return {
      open: () => packs.repo('local', repo),
      openOther: () => packs.repo('local', other),
      close: () => {
        packs.close();
        rmSync(root, { recursive: true });
      },
    };
  },
  capabilities,
);

testPackStore(
  'files that are read in short pieces',
  () => {
    const packs = filePacks('/packs', new FaultyFileSystem({ folders: ['/packs'], readMax: 40_000 }));
    return {
      open: () => packs.repo('local', repo),
      openOther: () => packs.repo('local', other),
      close: () => packs.close(),
    };
  },
  capabilities,
);

describe('filePacks', () => {
  let root: string;
  let packs: PackStores;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'packhouse-packs-'));
    packs = filePacks(root, nodeFileSystem);
  });
  afterEach(() => {
    packs.close();
    rmSync(root, { recursive: true });
  });
  const folder = () => join(root, 'local', repo);
  const put = async () => {
    const id = await packs.repo('local', repo).reserve();
    await packs.repo('local', repo).put(id, 'pack', [Uint8Array.of(1)]);
    return id;
  };

  it('stores packs by account and repository, private to the owner', async () => {
    const id = await put();
    expect(readdirSync(folder())).toEqual([`${id}.pack`]);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder(), `${id}.pack`)).mode & 0o777).toBe(0o600);
  });

  it('GIT-195: names the file of a pack that was uploaded, for other threads', async () => {
    const store = packs.repo('local', repo);
    const id = await store.reserve();
    const upload = await store.upload(id);
    await upload.write(0, Uint8Array.of(1, 2, 3));
    await upload.complete(3);
    expect([...readFileSync(store.path?.(id) as string)]).toEqual([1, 2, 3]);
  });

  it.each(['', '..', 'a/b', 'a.b', 'ä', 'a'.repeat(65)])('rejects a path as an account: %j', (account) => {
    expect(() => packs.repo(account, repo)).toThrow(RangeError);
  });

  it.each(['', '..', '../../../etc/pass', 'K3V9P0X2M7Q4W8ZT', repo.slice(1)])(
    'REPO-047: rejects a path as a repository: %j',
    (id) => {
      expect(() => packs.repo('local', id)).toThrow(RangeError);
    },
  );

  it('reads more packs than it keeps open, and closes all of them', async () => {
    const ids: PackId[] = [];
    for (let i = 0; i < 80; i++) ids.push(await put());
    for (let round = 0; round < 2; round++) {
      const read = await Promise.all(
        ids.map((id) => packs.repo('local', repo).read(id, 'pack', [{ offset: 0, length: 1 }])),
      );
      expect(read.every(([byte]) => byte?.[0] === 1)).toBe(true);
    }
    await expect.poll(() => openFilesIn(root)).toBe(64);
    packs.close();
    await expect.poll(() => openFilesIn(root)).toBe(0);
  });

  it('finishes a stream that began before its pack was removed', async () => {
    const id = await packs.repo('local', repo).reserve();
    await packs.repo('local', repo).put(id, 'pack', [new Uint8Array(3_000_000).fill(5)]);
    let size = 0;
    for await (const chunk of packs.repo('local', repo).stream(id)) {
      await packs.repo('local', repo).remove(id);
      size += chunk.length;
    }
    expect(size).toBe(3_000_000);
    expect(readdirSync(folder())).toEqual([]);
  });

  it('GIT-153: determines the age of leftovers by their latest file, ignoring other files', async () => {
    const [old, mixed, fresh] = [await put(), await put(), await put()];
    await packs.repo('local', repo).put(mixed, 'idx', [Uint8Array.of(1)]);
    for (const id of [old, mixed]) utimesSync(join(folder(), `${id}.pack`), 1_000, 1_000);
    writeFileSync(join(folder(), 'notes.txt'), '');
    expect(await packs.repo('local', repo).leftovers(1_000_001)).toEqual([old]);
    expect([...(await packs.repo('local', repo).leftovers(Date.now() + 60_000))].sort()).toEqual(
      [old, mixed, fresh].sort(),
    );
  });
});
