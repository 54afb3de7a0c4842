/** GIT-147, with a digest that is made weak: it needs another codec than the one that serves. */

import type { Codec } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { FaultyFileSystem } from '@packhouse/storage/testing';
import {
  blob,
  commit,
  insertingDelta,
  packEntry,
  packOfEntries,
  tree,
  type MadeObject,
} from '@packhouse/conformance/tools/made-objects';
import { pushBody, set } from '@packhouse/conformance/tools/wire-client';
import { describe, expect, it } from 'vitest';
import { openUnderFaults, packsFolder } from '../support/repository-under-faults.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';

const main = 'refs/heads/main';
const referenceDelta = 7;

describe('a collision of object ids', () => {
  // There are two files of one SHA-1, but none is known as a small object of Git: so the digest itself is made weak.
  const [one, two] = [blob('the one\n'), blob('the other one\n')];
  const honest = nodeCodec();
  const weak: Codec = {
    ...honest,
    sha1Of: (...parts) => {
      const isTwo = Buffer.concat(parts).equals(Buffer.from(`blob ${two.body.length}\0${two.body.toString()}`));
      return isTwo ? Buffer.from(one.oid, 'hex') : honest.sha1Of(...parts);
    },
  };
  const filler = blob('something else');
  const root = tree({ file: one });
  const value = commit('collides', root);
  const next = commit('again', root, [value]);

  it.each([
    ['in files', 64, (object: MadeObject) => packEntry(3, object.body)],
    ['in rows', undefined, (object: MadeObject) => packEntry(3, object.body)],
    [
      'in rows, as a delta',
      undefined,
      (object: MadeObject) =>
        packEntry(referenceDelta, insertingDelta(filler.body.length, object.body), Buffer.from(filler.oid, 'hex')),
    ],
  ])('GIT-147: is found by the bytes that are stored %s', async (_, partSize, entryOf) => {
    const dataDir = makeFolder();
    const options = partSize === undefined ? {} : { partSize };
    const fileSystem = new FaultyFileSystem({ folders: [packsFolder(dataDir)] });
    const repository = await openUnderFaults({ dataDir, fileSystem, codec: weak, ...options });
    try {
      expect(
        await repository.push(
          pushBody(
            [set(main, value)],
            packOfEntries([packEntry(1, value.body), packEntry(2, root.body), packEntry(3, one.body)]),
          ),
        ),
      ).toEqual(['unpack ok', `ok ${main}`]);
      const files = fileSystem.files;
      expect(files).toHaveLength(partSize === undefined ? 0 : 3);
      const again = (entry: Buffer): Buffer =>
        pushBody(
          [set(main, next, value)],
          packOfEntries([packEntry(1, next.body), packEntry(2, root.body), packEntry(3, filler.body), entry]),
        );
      expect(await repository.push(again(entryOf(two)))).toEqual([
        `unpack object collision ${one.oid}`,
        `ng ${main} unpacker error`,
      ]);
      expect(await repository.refs()).toEqual({ [main]: value.oid });
      expect(fileSystem.files).toEqual(files);
      expect(await repository.push(again(entryOf(one)))).toEqual(['unpack ok', `ok ${main}`]);
      expect(await repository.problems()).toEqual([]);
    } finally {
      repository.close();
      removeFolder(dataDir);
    }
  });

  it('GIT-147, GIT-129: is found by the bytes that hidden refs alone reach', async () => {
    const dataDir = makeFolder();
    let hidden: readonly string[] = [];
    const fileSystem = new FaultyFileSystem({ folders: [packsFolder(dataDir)] });
    const repository = await openUnderFaults({ dataDir, fileSystem, codec: weak, hiddenRefs: () => hidden });
    try {
      expect(
        await repository.push(
          pushBody(
            [set('refs/secret/x', value)],
            packOfEntries([packEntry(1, value.body), packEntry(2, root.body), packEntry(3, one.body)]),
          ),
        ),
      ).toEqual(['unpack ok', 'ok refs/secret/x']);
      hidden = ['refs/secret'];
      const again = (object: MadeObject): Buffer =>
        pushBody(
          [set(main, value)],
          packOfEntries([packEntry(1, value.body), packEntry(2, root.body), packEntry(3, object.body)]),
        );
      expect(await repository.push(again(two))).toEqual([
        `unpack object collision ${one.oid}`,
        `ng ${main} unpacker error`,
      ]);
      expect(await repository.push(again(one))).toEqual(['unpack ok', `ok ${main}`]);
      expect(await repository.problems()).toEqual([]);
    } finally {
      repository.close();
      removeFolder(dataDir);
    }
  });

  it('GIT-147: is found within one pack', async () => {
    const dataDir = makeFolder();
    const repository = await openUnderFaults({
      dataDir,
      fileSystem: new FaultyFileSystem({ folders: [packsFolder(dataDir)] }),
      codec: weak,
    });
    try {
      const entries = [packEntry(1, value.body), packEntry(2, root.body), packEntry(3, one.body)];
      const twice = (object: MadeObject): Buffer =>
        pushBody([set(main, value)], packOfEntries([...entries, packEntry(3, object.body)]));
      expect(await repository.push(twice(two))).toEqual([
        `unpack object collision ${one.oid}`,
        `ng ${main} unpacker error`,
      ]);
      expect(await repository.refs()).toEqual({});
      expect(await repository.push(twice(one))).toEqual(['unpack ok', `ok ${main}`]);
      expect(await repository.problems()).toEqual([]);
    } finally {
      repository.close();
      removeFolder(dataDir);
    }
  });
});
