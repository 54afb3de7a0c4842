import { fc, test } from '@fast-check/vitest';
import { createHash, randomBytes } from 'node:crypto';
import { runs } from '@packhouse/fixtures';
import { expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { createGitEngine } from '../engine/engine.ts';
import { commitChanges, someRepository, strayPacks } from './committed-repository.test.util.ts';
import type { FileChange } from './commit-files.ts';
import { NewBlobs } from './new-blobs.ts';

const contents = fc.array(fc.uint8Array({ maxLength: 3000, size: 'max' }), { minLength: 1, maxLength: 8 });

test.prop([contents, fc.integer({ min: 1, max: 3000 }), fc.constantFrom(700, 8 * 1024 * 1024)], { numRuns: runs(30) })(
  'REPO-308: commits blobs that were added one by one, each once, and leaves nothing else',
  async (bodies, pieceSize, partSize) => {
    const made = await someRepository(partSize);
    const { engine, repository } = made;
    const blobs = await NewBlobs.open(engine, repository.packs, 0, {}, engine.scheduler.begin());
    const changes: FileChange[] = [];
    for (const body of [...bodies, ...bodies]) {
      const pieces = Array.from({ length: Math.ceil(body.length / pieceSize) }, (_, i) =>
        body.subarray(i * pieceSize, (i + 1) * pieceSize),
      );
      const content = await blobs.add(pieces);
      expect(content).toBe(createHash('sha1').update(`blob ${body.length}\0`).update(body).digest('hex'));
      changes.push({ op: 'put', path: [`f${changes.length}`], content, isNew: true, mode: undefined });
    }
    await blobs.end();
    // A commit that waits for its memory would keep it from others.
    expect(engine.admission.reserved).toBe(0);
    expect(await commitChanges(made, changes, blobs)).toMatchObject({ kind: 'done' });
    await blobs.discard();
    const ids = new Set(changes.map((change) => change.op === 'put' && change.content));
    // A commit and a tree are new, too.
    expect(made.state.packs.at(-1)?.objects).toBe(ids.size + 2);
    expect([strayPacks(made), engine.admission.reserved]).toEqual([0, 0]);
  },
);

it('REPO-308: blobs that no commit takes go, with their memory', async () => {
  const made = await someRepository(700);
  const { engine, repository } = made;
  const blobs = await NewBlobs.open(engine, repository.packs, 5000, {}, engine.scheduler.begin());
  blobs.keep(1000);
  blobs.hold(200_000);
  await blobs.add([new Uint8Array(200_000).map((_, i) => (i * i) >> 7)]);
  await blobs.end();
  expect([strayPacks(made), engine.admission.reserved, blobs.heldMemory]).toEqual([1, 0, 1000]);
  await blobs.discard();
  await blobs.discard();
  expect([strayPacks(made), engine.admission.reserved]).toEqual([0, 0]);
});

it('LIM-080: commits of one account that take all memory together are made, one after the other', async () => {
  const made = await someRepository(8 * 1024 * 1024);
  made.engine = createGitEngine({ codec: nodeCodec(), memory: 128 * 1024 * 1024, memoryReserve: 8 * 1024 * 1024 });
  const { engine, repository } = made;
  const commits = [1, 2, 3, 4].map(async (number) => {
    const body = randomBytes(1_600_000);
    const blobs = await NewBlobs.open(engine, repository.packs, body.length, { tenant: 'a' }, engine.scheduler.begin());
    const content = await blobs.add([body]);
    await blobs.end();
    const change = { op: 'put', path: [`f${number}`], content, isNew: true, mode: undefined } as const;
    const result = await commitChanges(made, [change], blobs, 'a');
    await blobs.discard();
    return result.kind;
  });
  expect(await Promise.all(commits)).toEqual(['done', 'done', 'done', 'done']);
});
