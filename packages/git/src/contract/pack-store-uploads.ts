import { StorageError, type PackId, type PackUpload } from '../ports/pack-store.ts';
import { describe, expect, it } from 'vitest';
import { collected, equalBytes, sampleBytes } from './bytes.ts';
import type { OpenPacks, PackStoreCapabilities } from './pack-store.ts';

export function testPackUploads(open: OpenPacks, capabilities: PackStoreCapabilities): void {
  describe('uploads', () => {
    const begin = async (): Promise<[PackId, PackUpload]> => {
      const id = await open().reserve();
      return [id, await open().upload(id)];
    };
    const absent = async (id: PackId) => {
      await expect(open().read(id, 'pack', [{ offset: 0, length: 1 }])).rejects.toThrow(StorageError);
      await expect(collected(open().stream(id))).rejects.toThrow(StorageError);
      await expect(collected(open().framed(id))).rejects.toThrow(StorageError);
    };

    it('accepts concurrent parts in any order from reused buffers, and shows nothing before completion', async () => {
      const { partSize } = open();
      const bytes = sampleBytes(2 * partSize + 12_345);
      const part = (index: number) => bytes.subarray(index * partSize, (index + 1) * partSize);
      const [id, upload] = await begin();
      const buffers = [part(1).slice(), part(2).slice()];
      await Promise.all([upload.write(1, buffers[0] as Uint8Array), upload.write(2, buffers[1] as Uint8Array)]);
      for (const buffer of buffers) buffer.fill(0);
      await absent(id);
      const last = part(0).slice();
      await upload.write(0, last);
      last.fill(0);
      await absent(id);
      await upload.complete(bytes.length);
      expect(equalBytes(await collected(open().stream(id)), bytes)).toBe(true);
    });

    it.each([
      ['one byte', 1],
      ['a part less a byte', -1],
      ['a whole part', 0],
    ])('accepts a pack of %s', async (_, size) => {
      const [id, upload] = await begin();
      const bytes = sampleBytes(size > 0 ? size : open().partSize + size);
      await upload.write(0, bytes);
      await upload.complete(bytes.length);
      expect(equalBytes(await collected(open().stream(id)), bytes)).toBe(true);
    });

    it.each([
      ['a sum that is wrong', async (upload: PackUpload) => upload.complete(8)],
      [
        'a part too much',
        async (upload: PackUpload, size: number) =>
          upload.write(1, new Uint8Array(2)).then(() => upload.complete(size)),
      ],
      [
        'a missing part',
        async (upload: PackUpload) => upload.write(2, new Uint8Array(2)).then(() => upload.complete(9)),
      ],
      [
        'a short part that is not the last',
        async (upload: PackUpload) => upload.write(1, new Uint8Array(2)).then(() => upload.complete(9)),
      ],
      [
        'a part that is too large',
        async (upload: PackUpload, size: number) =>
          upload.write(1, new Uint8Array(size + 1)).then(() => upload.complete(size + 8)),
      ],
      [
        'a part written twice',
        async (upload: PackUpload) => upload.write(0, new Uint8Array(7)).then(() => upload.complete(7)),
      ],
    ])('refuses %s, and stores no pack', async (_, act) => {
      const [id, upload] = await begin();
      await upload.write(0, new Uint8Array(7));
      await expect(act(upload, open().partSize)).rejects.toThrow(StorageError);
      await absent(id);
      await upload.abort();
      await absent(id);
    });

    it('completes once', async () => {
      const [id, upload] = await begin();
      await upload.write(0, Uint8Array.of(1, 2, 3));
      await upload.complete(3);
      await expect(upload.complete(3)).rejects.toThrow(StorageError);
      await expect(upload.write(1, Uint8Array.of(1))).rejects.toThrow(StorageError);
      await upload.abort();
      expect(await collected(open().stream(id))).toEqual(Uint8Array.of(1, 2, 3));
    });

    it('GIT-153: drops everything when aborted, at any time, any number of times', async () => {
      const [id, upload] = await begin();
      await upload.abort();
      const [second, under] = await begin();
      const writing = under.write(0, sampleBytes(100_000));
      await Promise.all([under.abort(), writing.catch(() => undefined)]);
      await under.abort();
      await expect(under.write(1, Uint8Array.of(1))).rejects.toThrow(StorageError);
      await expect(under.complete(100_000)).rejects.toThrow(StorageError);
      await expect(upload.complete(0)).rejects.toThrow(StorageError);
      await absent(id);
      await absent(second);
    });

    it.runIf(capabilities.removesUnfinished)('cannot complete an upload that was removed meanwhile', async () => {
      const [id, upload] = await begin();
      await upload.write(0, Uint8Array.of(1));
      await open().remove(id);
      await expect(upload.complete(1)).rejects.toThrow(StorageError);
      await absent(id);
    });
  });
}
