/** REPO-146, REPO-150 to REPO-152 of docs/specification/repositories.md: replies of bytes. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { contentHeaders, expectBytes, headersOf, readBytes } from '../../../steps/content.ts';
import { deltaPack } from '../../../tools/delta-pack.ts';
import { blob, commit, pack, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { set } from '../../../tools/wire-client.ts';

/** Creates a repo whose branch has these blobs by name. */
async function repoOf(
  t: Context,
  files: Readonly<Record<string, MadeObject>>,
  packOf: (objects: readonly MadeObject[]) => Uint8Array = (objects) => pack(...objects),
): Promise<TestRepo> {
  const repo = await t.createRepo();
  const root = tree(files);
  const node = commit('files', root);
  await accepted(repo, [set('refs/heads/main', node)], packOf([...Object.values(files), root, node]));
  return repo;
}

const kibi = 1024;
const mebi = 1024 * kibi;

export const contentBytes: Suite = suite(
  {
    id: 'rest/content/blob-sizes',
    requirements: ['REPO-083', 'REPO-146', 'REPO-150', 'REPO-151'],
    level: 'MUST',
    beyond: true,
    explanation: 'A blob of any size comes whole, with its length told before.',
    async run(t) {
      const sizes = [0, 1, 8_191, 8_192, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 262_145, 3 * mebi + 1];
      const blobs = sizes.flatMap((size) => [blob(noise(size, size)), blob(Buffer.alloc(size, 'compresses well '))]);
      const named = Object.fromEntries(blobs.map((one, i) => [`f${String(i).padStart(3, '0')}`, one]));
      const repo = await repoOf(t, named);
      for (const [name, { oid, body }] of Object.entries(named)) {
        const reply = await readBytes(t, repo, `/blob/${oid}`);
        expectBytes(reply, oid, body, `the blob of ${body.length} bytes`);
        assert.equal(reply.headers.get('content-type'), 'application/octet-stream', 'expected the type of bytes');
        expectBytes(await readBytes(t, repo, `/file?path=${name}`), oid, body, `the file of ${body.length} bytes`);
        expectBytes(await readBytes(t, repo, `/raw/main/${name}`), oid, body, `the raw file of ${body.length} bytes`);
      }
    },
  },
  {
    id: 'rest/content/blob-deltas',
    requirements: ['REPO-083', 'REPO-152'],
    level: 'MUST',
    beyond: true,
    explanation: 'A blob that is stored as a delta of another comes whole.',
    async run(t) {
      const text = noise(600 * kibi);
      const versions = Array.from({ length: 6 }, (_, i) => {
        const body = Buffer.from(text);
        body.writeUInt32BE(i, 1000 * i);
        return blob(body.subarray(0, body.length - i));
      });
      const files = Object.fromEntries(versions.map((one, i) => [`v${i}`, one]));
      const repo = await repoOf(t, files, (objects) => deltaPack(objects, []));
      for (const { oid, body } of versions) {
        expectBytes(await readBytes(t, repo, `/blob/${oid}`), oid, body, `the version of ${body.length} bytes`);
      }
    },
  },
  {
    id: 'rest/content/blob-bombs',
    requirements: ['REPO-083', 'REPO-152'],
    level: 'MUST',
    beyond: true,
    explanation: 'What compresses a thousandfold streams as any other, many times at once.',
    async run(t) {
      const zeros = blob(Buffer.alloc(24 * mebi));
      const repo = await repoOf(t, { zeros });
      const replies = await Promise.all(
        Array.from({ length: 6 }, async () => readBytes(t, repo, `/blob/${zeros.oid}`)),
      );
      for (const reply of replies) expectBytes(reply, zeros.oid, zeros.body, 'the zeros');
    },
  },
  {
    id: 'rest/content/blob-left',
    requirements: ['REPO-083', 'REPO-152'],
    level: 'MUST',
    beyond: true,
    explanation: 'A client that leaves amid a blob disturbs nobody, however often.',
    async run(t) {
      const large = blob(noise(8 * mebi));
      const repo = await repoOf(t, { large });
      for (let round = 0; round < 12; round++) {
        const leaving = new AbortController();
        const response = await t.fetch(`${t.base}/namespaces/${repo.namespace}/repos/${repo.name}/blob/${large.oid}`, {
          headers: { authorization: `Bearer ${t.apiToken}` },
          signal: leaving.signal,
        });
        assert.equal(response.status, 200, 'expected the blob');
        const reader = (response.body as ReadableStream<Uint8Array>).getReader();
        if (round % 3 > 0) await reader.read();
        if (round % 3 === 1) await reader.cancel();
        leaving.abort();
        await reader.closed.catch(() => undefined);
      }
      expectBytes(await readBytes(t, repo, `/blob/${large.oid}`), large.oid, large.body, 'the blob after all that');
    },
  },
  {
    id: 'rest/content/blob-head',
    requirements: ['REPO-039', 'REPO-146', 'REPO-149', 'REPO-150', 'REPO-151'],
    level: 'MUST',
    beyond: true,
    explanation: 'HEAD tells all headers of GET and brings no byte.',
    async run(t) {
      const files = {
        empty: blob(''),
        'large.bin': blob(noise(400 * kibi)),
        'large.txt': blob('line\n'.repeat(200_000)),
        'small.png': blob('no picture'),
      };
      const repo = await repoOf(t, files);
      for (const [name, { oid, body }] of Object.entries(files)) {
        for (const path of [`/blob/${oid}`, `/file?path=${name}`, `/raw/main/${name}`]) {
          const get = await readBytes(t, repo, path);
          const head = await readBytes(t, repo, path, { method: 'HEAD' });
          assert.equal(head.status, 200, `HEAD ${path}: expected 200`);
          assert.equal(head.body.length, 0, `HEAD ${path}: expected no body`);
          same(headersOf(head), contentHeaders(oid, body.length), `HEAD ${path}: the headers of GET.`);
          assert.equal(head.headers.get('content-type'), get.headers.get('content-type'), `HEAD ${path}: the type`);
        }
      }
      const missing = await readBytes(t, repo, '/file?path=none', { method: 'HEAD' });
      assert.equal(missing.status, 404, 'HEAD of what is not there: expected 404');
    },
  },
  {
    id: 'rest/content/if-none-match',
    requirements: ['REPO-150', 'REPO-151'],
    level: 'MUST',
    beyond: true,
    explanation: 'A client that has the bytes already gets 304 without them.',
    async run(t) {
      const files = { 'a.txt': blob('text'), 'b.bin': blob(noise(300 * kibi)) };
      const repo = await repoOf(t, files);
      for (const [name, { oid, body }] of Object.entries(files)) {
        const other = '"0123456789abcdef0123456789abcdef01234567"';
        const have = [
          `"${oid}"`,
          `W/"${oid}"`,
          '*',
          ' * ',
          `${other}, "${oid}"`,
          `${other} ,\t W/"${oid}"  `,
          `"${oid}",${other}`,
          `"a,b", "${oid}"`,
          `,, "${oid}" ,`,
        ];
        const lack = [
          other,
          `W/${other}`,
          oid,
          '""',
          '"*"',
          `"${oid.slice(1)}"`,
          `"${oid.toUpperCase()}A"`,
          `"x${oid}"`,
          `"${oid}, *`,
        ];
        for (const path of [`/blob/${oid}`, `/file?path=${name}`, `/raw/main/${name}`]) {
          for (const method of ['GET', 'HEAD'] as const) {
            for (const value of have) {
              const reply = await readBytes(t, repo, path, { method, headers: { 'if-none-match': value } });
              const what = `${method} ${path} with If-None-Match: ${value}`;
              assert.equal(reply.status, 304, `${what}: expected 304`);
              assert.equal(reply.headers.get('etag'), `"${oid}"`, `${what}: expected the etag`);
              assert.equal(reply.body.length, 0, `${what}: expected no body`);
            }
          }
          for (const value of lack) {
            const reply = await readBytes(t, repo, path, { headers: { 'if-none-match': value } });
            expectBytes(reply, oid, body, `GET ${path} with If-None-Match: ${value}`);
          }
        }
      }
      const missing = await readBytes(t, repo, '/file?path=none', { headers: { 'if-none-match': '*' } });
      assert.equal(missing.status, 404, 'What is not there is 404 also with If-None-Match.');
    },
  },
);
