import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite, type Suite } from '../../../core/case.ts';
import { refsOf } from '../../../tools/hosted-objects.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { main, taken } from '../../../tools/push-reports.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import {
  commandBody,
  fetchBody,
  post,
  pushBody,
  remove,
  reportOf,
  set,
  type Remote,
} from '../../../tools/wire-client.ts';
import { withFile } from './values.ts';
import { only, smallRequests } from '../../../steps/settings.ts';

const limit = smallRequests.push_body_max;
const gzip = { 'content-encoding': 'gzip' };
const first = change('first');
type Service = 'git-upload-pack' | 'git-receive-pack';
type Answer = { readonly status: number; readonly text: string };

/** Posts a body with a `Content-Length`. */
async function whole(repo: Remote, body: Uint8Array, service: Service, headers = {}): Promise<Answer> {
  const reply = await post(repo, body, { service, version: service === 'git-upload-pack' ? 2 : 0, headers });
  return { status: reply.status, text: reply.body.toString() };
}

/** Posts a body in chunks, without a `Content-Length`. */
async function chunked(repo: Remote, body: Uint8Array, service: Service, headers = {}): Promise<Answer> {
  let at = 0;
  const pieces = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(Uint8Array.from(body.subarray(at, at + 5000)));
      at += 5000;
      if (at >= body.length) controller.close();
    },
  });
  const response = await (repo.fetch ?? fetch)(`${repo.remote}/${service}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${repo.token}`,
      'content-type': `application/x-${service}-request`,
      'git-protocol': 'version=2',
      ...headers,
    },
    body: pieces,
    duplex: 'half',
  } as RequestInit);
  return { status: response.status, text: await response.text() };
}

export const gitLimitsBodies: Suite = suite(
  {
    id: 'git/limits/bodies/push',
    requirements: ['LIM-052', 'GIT-164', 'GIT-008'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallRequests, 'push_body_max'),
    explanation: 'A larger push is 413: by its Content-Length, while its chunks come, and after it was unzipped.',
    async run(t) {
      const repo = await t.createRepo();
      const large = withFile(noise(limit));
      const body = pushBody([set(main, large.node)], pack(...large.all));
      const refused = { status: 413, text: `Push is too large: limit ${limit} bytes (push_body_max)` };
      same(await whole(repo, body, 'git-receive-pack'), refused, 'A Content-Length above the limit is refused.');
      same(await chunked(repo, body, 'git-receive-pack'), refused, 'Chunks above the limit are refused.');
      const untyped = await whole(repo, body, 'git-receive-pack', { 'content-type': 'text/plain' });
      assert.equal(untyped.status, 415, 'A wrong media type is told before the size.');
      const dense = withFile(Buffer.alloc(10));
      const padded = Buffer.concat([pushBody([set(main, dense.node)], pack(...dense.all)), Buffer.alloc(limit)]);
      const zipped = gzipSync(padded);
      assert(zipped.length < 1000, 'Zipped it is small.');
      same(await whole(repo, zipped, 'git-receive-pack', gzip), refused, 'The size counts after unzipping.');
      same(await chunked(repo, zipped, 'git-receive-pack', gzip), refused, 'So it does in chunks.');
      same(await refsOf(repo), {}, 'No ref was made.');
    },
  },
  {
    id: 'git/limits/bodies/push-refusal-form',
    requirements: ['LIM-052', 'GIT-007'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallRequests, 'push_body_max'),
    explanation: 'The refusal of a push that is too large is plain text.',
    async run(t) {
      const repo = await t.createRepo();
      const reply = await post(repo, Buffer.alloc(limit + 1), { service: 'git-receive-pack', version: 0 });
      same(
        [reply.status, reply.headers.get('content-type')],
        [413, 'text/plain; charset=utf-8'],
        'Its media type is that of text.',
      );
    },
  },
  {
    id: 'git/limits/bodies/push-fits',
    requirements: ['LIM-052', 'GIT-164'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallRequests, 'push_body_max'),
    explanation: 'A push of just the limit is taken, and one byte more is not.',
    async run(t) {
      const repo = await t.createRepo();
      const measure = (size: number): Buffer => {
        const { node, all } = withFile(noise(size));
        return pushBody([set(main, node)], pack(...all));
      };
      let size = limit - 1000;
      while (measure(size).length < limit) size += Math.max(1, limit - measure(size).length - 20);
      while (measure(size).length > limit) size--;
      const body = measure(size);
      assert.equal(body.length, limit, 'The case made a push of just the limit.');
      const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
      same(reportOf(reply.body), taken(main), 'A push of just the limit is taken.');
      const { node } = withFile(noise(size));
      const deletion = (length: number): Buffer =>
        gzipSync(
          Buffer.concat([pushBody([remove(main, node)], Buffer.alloc(0)), Buffer.alloc(length)]).subarray(0, length),
        );
      const over = await whole(repo, deletion(limit + 1), 'git-receive-pack', gzip);
      assert.equal(over.status, 413, 'One byte more, counted after unzipping, is refused.');
      const exact = await whole(repo, deletion(limit), 'git-receive-pack', gzip);
      assert.equal(exact.status, 200, 'Just the limit, counted after unzipping, is taken.');
      same(await refsOf(repo), {}, 'The second one deleted the ref.');
    },
  },
  {
    id: 'git/limits/bodies/deletes',
    requirements: ['LIM-052', 'GIT-111'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallRequests, 'push_body_max'),
    explanation: 'Bytes behind a delete, ignored as they are, count for the limit of a push.',
    async run(t) {
      const repo = await repoWith(t, { [main]: first }, first.all);
      const body = pushBody([remove(main, first)], Buffer.alloc(limit));
      assert.equal((await chunked(repo, body, 'git-receive-pack')).status, 413, 'The push is refused.');
      same(await refsOf(repo), { [main]: first.oid }, 'The ref stands.');
    },
  },
  {
    id: 'git/limits/bodies/stock-git',
    requirements: ['LIM-052'],
    level: 'MUST',
    needs: ['settings', 'git'],
    settings: only(smallRequests, 'push_body_max'),
    explanation: 'Stock git shows its user the status of a push that was too large.',
    async run(t) {
      const repo = await t.createRepo();
      const folder = join(await t.folder(), 'work.git');
      const large = withFile(noise(2 * limit));
      await t.git(['init', '--quiet', '--bare', folder]);
      await t.git(['index-pack', '--stdin'], { cwd: folder, input: pack(...large.all) });
      await t.git(['update-ref', main, large.node.oid], { cwd: folder });
      const { status, stderr } = await t.tryGit([...repo.auth, 'push', repo.remote, main], { cwd: folder });
      assert.equal(status, 1, 'The push fails.');
      assert.match(stderr, /413/, 'The status is shown.');
    },
  },
  {
    id: 'git/limits/bodies/fetch',
    requirements: ['LIM-057', 'GIT-164'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallRequests, 'fetch_body_max'),
    explanation: 'A larger request for a fetch is 413 in each form, a smaller one is answered.',
    async run(t) {
      const repo = await repoWith(t, { [main]: first }, first.all);
      const haves = Array.from({ length: 500 }, (_, i) => createHash('sha1').update(String(i)).digest('hex'));
      const body = fetchBody([first.oid], haves);
      assert(body.length > limit, 'The case made a request above the limit.');
      const refused = { status: 413, text: `Request is too large: limit ${limit} bytes (fetch_body_max)` };
      same(await whole(repo, body, 'git-upload-pack'), refused, 'A Content-Length above the limit is refused.');
      same(await chunked(repo, body, 'git-upload-pack'), refused, 'Chunks above the limit are refused.');
      const zipped = gzipSync(commandBody('fetch', Array<string>(500).fill(`have ${first.oid}`)));
      assert(zipped.length < limit, 'Zipped it is below the limit.');
      same(await whole(repo, zipped, 'git-upload-pack', gzip), refused, 'The size counts after unzipping.');
      const fits = await whole(repo, fetchBody([first.oid], haves.slice(0, 300)), 'git-upload-pack');
      assert.equal(fits.status, 200, 'A request below the limit is answered.');
    },
  },
);
