import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { CommitResult } from '../commit/commit-files.ts';
import { commitChanges, rulesOf, someRepository, strayPacks } from '../commit/committed-repository.test.util.ts';
import { ContentReader } from '../content/content-reader.ts';
import type { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import type { ObjectId } from '../object/object-id.ts';
import { uploadBlob, type UploadedBlob } from './upload-blob.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

function upload(made: MaintainedRepository, bytes: Uint8Array, size: number | undefined): Promise<UploadedBlob> {
  const body = { bytes: inChunks(bytes, 50_000), size };
  return uploadBlob(made.engine, made.repository, made.state.current, body, rulesOf(made));
}

function commitOf(made: MaintainedRepository, oid: ObjectId): Promise<CommitResult> {
  return commitChanges(made, [{ op: 'put', path: ['new'], content: oid, isNew: false, mode: undefined }]);
}

async function isReadable(made: MaintainedRepository, oid: ObjectId): Promise<boolean> {
  const staleTips = { now: made.clock, grace: 1_000_000 };
  const options = { hiddenRefs: [], staleTips };
  const reader = await ContentReader.open(made.engine, made.repository, made.state.current, options);
  try {
    return (await reader.kindOf(oid)) !== undefined;
  } finally {
    reader.release();
  }
}

it('REPO-257: stores blobs of any size, known or not, under the id that Git gives them', async () => {
  for (const partSize of [700, 8 * 1024 * 1024]) {
    const made = await someRepository(partSize);
    for (const size of [0, 1, 131_072, 131_073, 3_000_000]) {
      const bytes = randomBytes(size);
      const hash = createHash('sha1').update(`blob ${size}\0`).update(bytes).digest('hex');
      for (const known of [size, undefined]) {
        const { oid, size: counted } = await upload(made, bytes, known);
        expect([oid, counted]).toEqual([hash, size]);
      }
    }
    // Bodies that were stored to be measured are gone.
    expect(strayPacks(made)).toBe(0);
  }
});

it('REPO-257: a body that breaks off leaves nothing behind', async () => {
  const made = await someRepository(700);
  const [files, packs] = [made.store.files.size, made.state.packs];
  const error = new Error('the client has gone');
  for (const size of [5_000, undefined]) {
    const bytes = (async function* () {
      yield randomBytes(2_000);
      throw error;
    })();
    const uploading = uploadBlob(made.engine, made.repository, made.state.current, { bytes, size }, rulesOf(made));
    await expect(uploading).rejects.toBe(error);
  }
  expect([made.store.files.size, made.state.packs]).toEqual([files, packs]);
  expect(made.engine.admission.reserved).toBe(0);
});

it('REPO-258, LIM-064: a blob waits unseen for the grace, and goes afterwards unless a commit has it', async () => {
  const made = await someRepository(700);
  const { oid } = await upload(made, Buffer.from('kept'), 4);
  const { oid: lost } = await upload(made, Buffer.from('lost'), undefined);
  expect(await made.stored()).toContain(oid);
  made.pass(made.grace - 10);
  await made.maintain({ mode: 'full' });
  expect(await isReadable(made, oid)).toBe(false);
  expect(await commitOf(made, oid)).toMatchObject({ kind: 'done', changed: { paths: ['new'], truncated: false } });
  expect(await isReadable(made, oid)).toBe(true);
  made.pass(20);
  await made.maintain({ mode: 'full' });
  const stored = await made.stored();
  expect([stored.has(oid), stored.has(lost)]).toEqual([true, false]);
  expect(await commitOf(made, lost)).toMatchObject({ refusal: { kind: 'no blob' } });
  expect(await isReadable(made, oid)).toBe(true);
});

it('REPO-258: an upload again begins a new grace, also of content that a deleted branch left', async () => {
  const made = await someRepository(700);
  const { oid } = await upload(made, Buffer.from('twice'), 5);
  made.pass(made.grace - 10);
  await upload(made, Buffer.from('twice'), 5);
  made.pass(20);
  await made.maintain({ mode: 'full' });
  expect(await commitOf(made, oid)).toMatchObject({ kind: 'done' });
});
