/** GIT-010 to GIT-012 and GIT-016 of docs/specification/git.md: bodies of requests. */

import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { change, noObject, pack } from '../../../tools/made-objects.ts';
import { postParts, postTwice } from '../../../steps/raw-request.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import {
  commandBody,
  credentialOf,
  flush,
  linesOf,
  listedRefs,
  packet,
  post,
  pushBody,
  reportOf,
  set,
  withoutVersions,
} from '../../../tools/wire-client.ts';

const first = change('first');

function plainRepo(t: Context): Promise<TestRepo> {
  return repoWith(t, { 'refs/heads/main': first }, first.all);
}

/** Returns a push of one new ref. */
function creation(name: string): { body: Buffer; ref: string } {
  const ref = `refs/heads/${name}`;
  return { ref, body: pushBody([set(ref, first)], pack()) };
}

/** Returns headers for a POST that `fetch` cannot make. */
function headersOf(repo: TestRepo, service: string): Record<string, string> {
  return {
    ...credentialOf(repo),
    'content-type': `application/x-${service}-request`,
    'git-protocol': 'version=2',
  };
}

export const gitHttpBodies: Suite = suite(
  {
    id: 'git/http/request-media-type',
    requirements: ['GIT-010'],
    level: 'MUST',
    explanation: 'A POST of another media type is 415; parameters, case and Accept do not matter.',
    async run(t) {
      const repo = await plainRepo(t);
      const others = [
        'application/x-git-receive-pack-request',
        'text/plain',
        'application/x-git-upload-pack-result',
        'application/x-www-form-urlencoded',
        '',
      ];
      for (const type of others) {
        const { status, body } = await post(repo, flush, { headers: { 'content-type': type } });
        const told = repo.foreign === true ? body.toString() : 'Unsupported content type';
        same([status, body.toString()], [415, told], `"${type}" is refused.`);
      }
      const type = 'Application/X-Git-Upload-Pack-Request; charset=utf-8';
      const { status } = await post(repo, flush, { headers: { 'content-type': type, accept: 'text/html' } });
      assert.equal(status, 200, `${type} is accepted, whatever Accept says.`);
    },
  },
  {
    id: 'git/http/content-encodings',
    requirements: ['GIT-011'],
    level: 'MUST',
    own: true,
    explanation: 'Bodies are accepted as they are and gzipped, under both names and in any case.',
    async run(t) {
      const repo = await plainRepo(t);
      const plain = commandBody('ls-refs');
      const expected = linesOf((await post(repo, plain)).body);
      assert.ok(expected.includes(`${first.oid} refs/heads/main`), 'The branch is listed.');
      for (const [encoding, body] of [
        ['identity', plain],
        ['gzip', gzipSync(plain)],
        ['x-gzip', gzipSync(plain)],
        ['GZIP', gzipSync(plain)],
      ] as const) {
        const reply = await post(repo, body, { headers: { 'content-encoding': encoding } });
        assert.equal(reply.status, 200, `Content-Encoding ${encoding} is accepted.`);
        same(linesOf(reply.body), expected, `A body in ${encoding} means the same as a plain one.`);
      }
    },
  },
  {
    id: 'git/http/chunked-bodies',
    requirements: ['GIT-011'],
    level: 'MUST',
    needs: ['origin'],
    explanation: 'Chunked bodies are accepted, cut anywhere, and also if they are gzipped.',
    async run(t) {
      const repo = await plainRepo(t);
      const plain = commandBody('ls-refs');
      const expected = linesOf((await post(repo, plain)).body);
      const service = 'git-upload-pack';
      for (const [more, bytes] of [
        [{}, plain],
        [{ 'content-encoding': 'gzip' }, gzipSync(plain)],
      ] as const) {
        const parts = [...bytes].map((byte) => Buffer.of(byte));
        const headers = { ...headersOf(repo, service), ...more };
        const reply = await postParts(`${repo.remote}/${service}`, headers, parts);
        assert.equal(reply.status, 200, 'A chunk for each byte is accepted.');
        same(linesOf(reply.body), expected, 'It means the same as a body in one piece.');
      }
      const { ref, body } = creation('gzipped');
      const zipped = gzipSync(body);
      const pushed = await postParts(
        `${repo.remote}/git-receive-pack`,
        { ...headersOf(repo, 'git-receive-pack'), 'content-encoding': 'gzip' },
        [zipped.subarray(0, 20), zipped.subarray(20)],
      );
      same(reportOf(pushed.body), ['unpack ok', `ok ${ref}`], 'A push that is gzipped and chunked is accepted.');
      assert.equal((await listedRefs(repo))[ref], first.oid, 'What it pushed is there.');
    },
  },
  {
    id: 'git/http/late-last-chunk',
    requirements: ['GIT-035'],
    level: 'SHOULD',
    needs: ['origin'],
    explanation: 'A chunked request whose last chunk comes a moment later costs the client no connection.',
    async run(t) {
      const repo = await plainRepo(t);
      if (repo.isOld === true) t.unsupported(withoutVersions);
      const service = 'git-upload-pack';
      for (const [what, body] of [
        ['A list of refs', commandBody('ls-refs')],
        ['A fetch', commandBody('fetch', [`want ${first.oid}`, 'done'])],
      ] as const) {
        const { statuses, kept } = await postTwice(`${repo.remote}/${service}`, headersOf(repo, service), body);
        same(statuses, [200, 200], `${what} is answered, and so is the next one.`);
        assert.ok(kept, `${what} leaves the connection open.`);
      }
    },
  },
  {
    id: 'git/http/refused-encodings',
    requirements: ['GIT-011'],
    level: 'MUST',
    own: true,
    explanation: 'Another encoding is 415 and broken gzip data 400, and neither changes anything.',
    async run(t) {
      const repo = await plainRepo(t);
      const { ref, body } = creation('broken');
      const zipped = gzipSync(body);
      const damaged = Buffer.from(zipped);
      damaged.writeUInt8((damaged.at(-6) as number) ^ 1, damaged.length - 6);
      const attempt = (encoding: string, bytes: Uint8Array): ReturnType<typeof post> =>
        post(repo, bytes, { service: 'git-receive-pack', version: 0, headers: { 'content-encoding': encoding } });
      for (const encoding of ['br', 'deflate', 'gzip, gzip', 'zstd']) {
        assert.equal((await attempt(encoding, zipped)).status, 415, `Content-Encoding ${encoding} is refused.`);
      }
      for (const [what, bytes] of [
        ['No gzip data at all', body],
        ['Gzip data that ends early', zipped.subarray(0, -12)],
        ['Gzip data whose checksum is wrong', damaged],
      ] as const) {
        const reply = await attempt('gzip', bytes);
        assert.equal(reply.status, 400, `${what} is 400.`);
        assert.match(reply.body.toString(), /^Malformed request: \S/, `${what} is told as malformed.`);
      }
      assert.equal((await listedRefs(repo))[ref], undefined, 'No ref was made.');
    },
  },
  {
    id: 'git/http/expect-continue',
    requirements: ['GIT-012'],
    level: 'MUST',
    needs: ['origin'],
    explanation: 'A push that asks whether to go on with Expect: 100-continue succeeds.',
    async run(t) {
      const repo = await plainRepo(t);
      const { ref, body } = creation('waited');
      const headers = { ...headersOf(repo, 'git-receive-pack'), expect: '100-continue' };
      const reply = await postParts(`${repo.remote}/git-receive-pack`, headers, [body]);
      same(reportOf(reply.body), ['unpack ok', `ok ${ref}`], 'The push is accepted.');
    },
  },
  {
    id: 'git/http/broken-framing',
    requirements: ['GIT-016'],
    level: 'MUST',
    own: true,
    explanation: 'Broken framing is 400 with the reason, in each service and version, and nothing changes.',
    async run(t) {
      const repo = await plainRepo(t);
      const command = packet(`${noObject} ${first.oid} refs/heads/framing\0report-status`);
      const delimited = Buffer.concat([command, Buffer.from('0001')]);
      const openHaves = Buffer.concat([packet(`want ${first.oid}\n`), flush, packet(`have ${first.oid}\n`)]);
      for (const [what, service, version, body] of [
        ['A length that is no number', 'git-upload-pack', 2, Buffer.from('zzzz')],
        ['The length 0002', 'git-upload-pack', 0, Buffer.from('0002')],
        ['The length 0003', 'git-upload-pack', 2, Buffer.from('0003')],
        ['A length above 65,520', 'git-upload-pack', 1, Buffer.concat([Buffer.from('fff1'), Buffer.alloc(65_521)])],
        ['A body that ends inside a packet', 'git-upload-pack', 2, commandBody('ls-refs').subarray(0, 10)],
        ['A command without its flush', 'git-upload-pack', 2, commandBody('ls-refs').subarray(0, -4)],
        ['Wants without a flush', 'git-upload-pack', 0, packet(`want ${first.oid}\n`)],
        ['Haves without a flush or done', 'git-upload-pack', 0, openHaves],
        ['A delim in version 0', 'git-upload-pack', 0, Buffer.from('0001')],
        ['A delim in version 1', 'git-upload-pack', 1, Buffer.from('0001')],
        ['A length with a sign', 'git-receive-pack', 0, Buffer.from('-001')],
        ['A push that ends inside a packet', 'git-receive-pack', 0, command.subarray(0, -3)],
        ['A push without its flush', 'git-receive-pack', 0, command],
        ['A delim in a push', 'git-receive-pack', 0, delimited],
        ['A delim in a push that asks for version 2', 'git-receive-pack', 2, delimited],
        ['An empty push', 'git-receive-pack', 0, Buffer.alloc(0)],
      ] as const) {
        const reply = await post(repo, body, { service, version });
        assert.equal(reply.status, 400, `${what} is 400.`);
        assert.match(reply.body.toString(), /^Malformed request: \S/, `${what} is told with a reason.`);
      }
      const names = Object.keys(await listedRefs(repo));
      same(names, ['HEAD', 'refs/heads/main'], 'No ref was made.');
    },
  },
);
