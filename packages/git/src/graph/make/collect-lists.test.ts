import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../../codec/node.ts';
import { closure, historyOf, type MadeObject } from '../../maintain/made-history.test.util.ts';
import { objectIdAt, objectIdBytes, writeObjectId, type ObjectId } from '../../object/object-id.ts';
import { commitKind } from '../../object/kind.ts';
import { EntryTables } from '../../pack/receive/entry-tables.ts';
import { MemoryAccount } from '../../pack/receive/memory-account.ts';
import { memoryShare } from '../../pack/receive/memory-share.test.util.ts';
import { PackTable } from '../../pack/pack-table.ts';
import type { PackHelper } from '../../pack/receive/pack-helper.ts';
import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import { Scheduler } from '../../work/scheduler.ts';
import { collectShare } from './collect-share.ts';
import { walkPush, type WalkOptions, type WalkPlaces, type WalkResult } from './push-walk.ts';

const codec = nodeCodec();

function placesOf(objects: readonly MadeObject[]): WalkPlaces {
  const places = new Map(objects.map(({ id }, place) => [id as string, place]));
  return {
    ownPlaces: objects.length,
    find: (ids, at) => places.get(objectIdAt(ids, at)) ?? -1,
    kind: (place) => (objects[place] as MadeObject).kind,
    read: (place) => objects[place] as MadeObject,
    findNode: () => -1,
    nodeTree: () => -1,
    nodeKind: () => commitKind,
    links(place) {
      const { links } = objects[place] as MadeObject;
      return { ids: idsOf(links), offset: 0, parentCount: links.length - 1, targetKind: undefined, date: 0 };
    },
  };
}

function idsOf(objects: readonly MadeObject[]): Uint8Array {
  const ids = new Uint8Array(objects.length * objectIdBytes);
  objects.forEach(({ id }, i) => writeObjectId(id as ObjectId, ids, i * objectIdBytes));
  return ids;
}

const [tip] = historyOf(40).slice(-1) as [MadeObject];
const history = [...closure([tip]).values()];

function walked(more: Partial<WalkOptions> = {}): Promise<WalkResult> {
  return walkPush(codec, placesOf(history), idsOf([tip]), {
    work: new Scheduler().begin(),
    boundary: { endsAt: () => false, isCutAt: () => false },
    memoryMax: 64 * 1024 * 1024,
    ...more,
  });
}

function listsOf({ nodes }: WalkResult): readonly (readonly number[])[] {
  return Array.from({ length: nodes.count }, (_, i) => [
    ...nodes.lists.subarray(nodes.listStarts[i], nodes.listEnds[i]),
  ]);
}

describe('GIT-195: lists that another thread may collect', () => {
  it('are collected here where memory is short until the other thread has ended', async () => {
    let [isThere, isShort] = [false, false];
    const memory = memoryShare({
      grow(bytes) {
        isShort ||= isThere;
        if (isThere) throw new NotEnoughMemoryError({ needed: bytes, limit: 1, setting: 'memory_max' });
      },
    });
    const result = await walked({
      tables: new MemoryAccount(memory, 0),
      async collectBeside() {
        isThere = true;
        await new Promise(setImmediate);
        isThere = false;
        return undefined;
      },
    });
    expect(isShort).toBe(true);
    const alone = await walked();
    expect(listsOf(result)).toEqual(listsOf(alone));
    expect(result.nodes.lists).toHaveLength(alone.nodes.lists.length);
  });

  it.each([
    ['', undefined],
    [', but for trees that are too large for it', 9 * 1024 * 1024],
  ])('are those that this thread would collect%s', async (_, size) => {
    const tables = new EntryTables(history.length, Infinity);
    for (const { id, kind, body } of history) {
      const ordinal = tables.add(0, kind, body.length);
      tables.enter(ordinal, kind, body.length, idsOf([{ id } as MadeObject]));
    }
    const work = new Scheduler().begin();
    const { byId } = await PackTable.of(tables.oids.subarray(0, history.length * objectIdBytes), tables.offsets, work);
    const large = history.findIndex(({ id }) => id === tip.links[0]?.links[3]?.id);
    if (size !== undefined) tables.sizes[large] = size;
    const helper = { tables, codec, work, reader: placesOf(history) } as unknown as PackHelper;
    let [others, left] = [0, 0];
    const result = await walked({
      async collectBeside(nodes) {
        const share = await collectShare({ ...nodes, byId, largest: size ?? 1000 }, helper);
        [others, left] = [share.nodes.length, share.left.length];
        return share;
      },
    });
    expect(others + left).toBe(40);
    expect(left > 0).toBe(size !== undefined);
    expect(listsOf(result)).toEqual(listsOf(await walked()));
  });

  it('are refused if they take more memory than one request may (LIM-059)', async () => {
    await expect(walked({ memoryMax: 5_000 })).rejects.toThrow(/^not enough memory: \d+ bytes, limit 5000 /);
  });

  it('fail as this thread does, even if the other one fails after that', async () => {
    const work = new Scheduler().begin();
    const other = Promise.withResolvers<undefined>();
    const walking = walked({
      work,
      collectBeside() {
        work.spend = () => {
          throw new Error('too much');
        };
        return other.promise;
      },
    });
    await expect(walking).rejects.toThrow('too much');
    other.reject(new Error('ended'));
    // An unhandled rejection would show now.
    await new Promise(setImmediate);
  });
});
