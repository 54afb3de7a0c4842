/** REPO-256 to REPO-258 of docs/specification/repositories.md: blobs that are uploaded for a later commit. */

import { suite, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import type { ShownNewBlob, ShownNewCommit } from '../../core/shown-content.ts';
import { expectBytes, pathOf, readBytes } from '../../steps/content.ts';
import { forkOf } from '../../steps/forked.ts';
import { accepted, repoWith } from '../../steps/repo-with.ts';
import { assertFailure, assertRefused, assertSuccess, bodyTooLarge, failures } from '../../steps/replies.ts';
import { assertMembers } from '../../steps/values.ts';
import { expectNotOurs } from '../../tools/hosted-objects.ts';
import { blob, change, type MadeObject } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { remove } from '../../tools/wire-client.ts';
import { notFound } from './content/failures.ts';
import { only, smallPacks } from '../../steps/settings.ts';

const base = change('base');
const author = { name: 'Ada', email: 'ada@example.com' };
const octets = { 'content-type': 'application/octet-stream' };

async function upload(t: Context, repo: TestRepo, body: Uint8Array): Promise<ShownNewBlob> {
  const reply = await t.rest('POST', `${pathOf(repo)}/blobs`, { body, headers: octets });
  return assertSuccess(reply, 201, `an upload of ${body.length} bytes`);
}

/** Returns the body of a commit to `main` with a blob at a path. */
const bodyOf = (path: string, hash: string): object => ({
  branch: 'main',
  message: 'A change',
  author,
  changes: [{ op: 'put', path, hash }],
});

/** Expects that a repo does not show a blob that it may have stored. */
async function expectUnseen(t: Context, repo: TestRepo, { oid }: MadeObject): Promise<void> {
  await assertRefused(t, ['GET', `${pathOf(repo)}/blob/${oid}`], notFound.blob);
  await expectNotOurs(repo, { oid }, 'It cannot be fetched.');
}

export const blobs: Suite = suite(
  {
    id: 'rest/blobs/committed',
    requirements: ['REPO-252', 'REPO-256', 'REPO-257', 'REPO-258'],
    level: 'MUST',
    beyond: true,
    explanation: 'An uploaded blob cannot be read before a commit of the same repository names it.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': base }, base.all);
      const fork = await forkOf(t, repo);
      const before = assertSuccess(await t.rest('GET', pathOf(repo)), 200, 'GET before');
      const bytes = new Uint8Array(3 * 1024 * 1024);
      for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
      const contents = [blob(''), blob('small\n'), blob(bytes)];
      for (const made of contents) {
        const stored = await upload(t, repo, made.body);
        assertMembers(stored, ['hash', 'size'], 'a blob');
        same(stored, { hash: made.oid, size: made.body.length }, 'The blob.');
        same(await upload(t, repo, made.body), stored, 'The same content again.');
        await expectUnseen(t, repo, made);
        await assertRefused(t, ['POST', `${pathOf(fork)}/commits`, bodyOf('x', made.oid)], {
          ...notFound.blob,
          pointer: '/changes/0/hash',
        });
      }
      const after = assertSuccess(await t.rest('GET', pathOf(repo)), 200, 'GET after');
      same(after.last_push_at, before.last_push_at, 'An upload is no push.');
      same(after.size >= before.size + bytes.length, true, 'It counts as stored.');
      for (const [i, made] of contents.entries()) {
        const reply = await t.rest('POST', `${pathOf(repo)}/commits`, { body: bodyOf(`dir/file-${i}`, made.oid) });
        const commit: ShownNewCommit = assertSuccess(reply, 201, 'a commit of an uploaded blob');
        same(commit.paths, [`dir/file-${i}`], 'Its path.');
        expectBytes(await readBytes(t, repo, `/blob/${made.oid}`), made.oid, made.body, 'a committed blob');
      }
      await expectUnseen(t, fork, contents[1] as MadeObject);
    },
  },
  {
    id: 'rest/blobs/hidden',
    requirements: ['REPO-258'],
    level: 'MUST',
    beyond: true,
    explanation: 'Content that the repository or its parent stores but does not show must be uploaded before a commit.',
    async run(t) {
      const secret = change('secret', base);
      const parent = await repoWith(t, { 'refs/heads/main': base, 'refs/heads/secret': secret }, [
        ...base.all,
        ...secret.all,
      ]);
      const fork = await forkOf(t, parent);
      await accepted(parent, [remove('refs/heads/secret', secret)]);
      const { oid, body } = secret.file;
      for (const repo of [parent, fork]) {
        const commit = bodyOf('found', oid);
        const unknown = { ...notFound.blob, pointer: '/changes/0/hash' };
        if (repo === fork) await assertRefused(t, ['POST', `${pathOf(repo)}/commits`, commit], unknown);
        same((await upload(t, repo, body)).hash, oid, 'The hash.');
        if (repo === fork) await expectUnseen(t, repo, secret.file);
        assertSuccess(await t.rest('POST', `${pathOf(repo)}/commits`, { body: commit }), 201, 'a commit');
        expectBytes(await readBytes(t, repo, `/blob/${oid}`), oid, body, 'a committed blob');
      }
      await expectNotOurs(fork, secret, 'Nothing else of the parent can be fetched.');
    },
  },
  {
    id: 'rest/blobs/as-git-reads-them',
    requirements: ['REPO-257', 'REPO-258'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'Stock git clones commits of uploaded blobs, and gives a blob the same hash.',
    async run(t) {
      const repo = await t.createRepo();
      const body = new TextEncoder().encode('line of text\n'.repeat(50_000));
      const { hash } = await upload(t, repo, body);
      await assertRefused(t, ['GET', `${pathOf(repo)}/blob/${hash}`], notFound.blob);
      assertSuccess(await t.rest('POST', `${pathOf(repo)}/commits`, { body: bodyOf('a/text', hash) }), 201, 'a commit');
      const cwd = await t.folder();
      await t.git([...repo.auth, 'clone', '-q', repo.remote, 'clone'], { cwd });
      await t.git(['fsck', '--strict'], { cwd: `${cwd}/clone` });
      const hashed = await t.git(['hash-object', 'a/text'], { cwd: `${cwd}/clone` });
      same(hashed.trim(), hash, 'The hash.');
    },
  },
  {
    id: 'rest/blobs/refused',
    requirements: ['REPO-040', 'REPO-257', 'REPO-308', 'REPO-309', 'REPO-311', 'LIM-051'],
    level: 'MUST',
    beyond: true,
    needs: ['read token', 'settings'],
    settings: only(smallPacks, 'blob_max'),
    explanation: 'Uploads of another type, above the limit, or without permission are refused.',
    async run(t) {
      const repo = await t.createRepo();
      const path = `${pathOf(repo)}/blobs`;
      const send = (body: Uint8Array, type: string, token?: string): Promise<Awaited<ReturnType<Context['rest']>>> =>
        t.rest('POST', path, { body, headers: { 'content-type': type }, ...(token !== undefined && { token }) });
      const one = new Uint8Array(1);
      assertFailure(t, await send(one, 'application/json'), failures.mediaType, 'JSON');
      assertFailure(t, await t.rest('POST', path, { body: one, untyped: true }), failures.mediaType, 'no type');
      const packed = await t.rest('POST', path, { body: one, headers: { ...octets, 'content-encoding': 'gzip' } });
      const coded = `${failures.mediaType.message}: expected a body without Content-Encoding`;
      assertFailure(t, packed, { ...failures.mediaType, message: coded }, 'a coded body');
      const fits = new Uint8Array(smallPacks.blob_max);
      assertSuccess(await send(fits, 'Application/Octet-Stream; x=y'), 201, 'the largest blob');
      const larger = await send(new Uint8Array(fits.length + 1), octets['content-type']);
      assertFailure(t, larger, bodyTooLarge(fits.length), 'more');
      const parts = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const part of ['in ', 'parts\n']) controller.enqueue(new TextEncoder().encode(part));
          controller.close();
        },
      });
      const headers = { ...octets, authorization: `Bearer ${t.apiToken}` };
      const init = { method: 'POST', body: parts, headers, duplex: 'half' };
      const chunked = await t.fetch(`${t.base}${path}`, init);
      const { result } = (await chunked.json()) as { readonly result: unknown };
      same([chunked.status, result], [201, { hash: blob('in parts\n').oid, size: 9 }], 'A body without a length.');
      const content = 'x'.repeat(fits.length + 1);
      const change = { ...bodyOf('large', ''), changes: [{ op: 'put', path: 'large', content }] };
      const message = 'The update was refused: file too large';
      const tooLarge = { status: 409, code: 10205, message, pointer: '/changes/0/content' };
      await assertRefused(t, ['POST', `${pathOf(repo)}/commits`, change], tooLarge);
      same((await send(one, octets['content-type'], t.readToken)).status, 403, 'No permission.');
      const closed = await t.createRepo({ body: { read_only: true } });
      const refused = await t.rest('POST', `${pathOf(closed)}/blobs`, { body: one, headers: octets });
      assertFailure(t, refused, failures.readOnly, 'a read-only repo');
      const none = await t.rest('POST', `/namespaces/${t.namespace}/repos/none/blobs`, { body: one, headers: octets });
      assertFailure(t, none, failures.noRepo, 'no repo');
    },
  },
);
