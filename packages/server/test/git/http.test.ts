/** Section 1 of docs/specification/git.md: URLs and HTTP. */

import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { change, noObject, pack } from '@packhouse/conformance/tools/made-objects';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import {
  commandBody,
  discover,
  flush,
  linesOf,
  listedRefs,
  packet,
  post,
  push,
  pushBody,
  reportOf,
  set,
} from '@packhouse/conformance/tools/wire-client';

const services = ['git-upload-pack', 'git-receive-pack'] as const;
const dumb = 'Dumb HTTP is not supported. Use a Git client with smart HTTP.';
const first = change('first');

let server: TestServer;
let repo: TestRepo;

beforeAll(async () => {
  server = await startTestServer();
  repo = await server.createRepo('Http');
  expect(await push(repo, [set('refs/heads/main', first)], pack(...first.all))).toEqual([
    'unpack ok',
    'ok refs/heads/main',
  ]);
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

async function ask(
  path: string,
  init: RequestInit = {},
  withToken = true,
): Promise<{ status: number; text: string; headers: Headers }> {
  const headers = {
    ...(withToken ? { authorization: `Bearer ${repo.token}` } : {}),
    ...(init.headers as Record<string, string>),
  };
  const response = await fetch(repo.remote + path, { ...init, headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** A push of one new ref that is refused or not by what stands around its body. */
function creation(name: string): { body: Buffer; ref: string } {
  const ref = `refs/heads/${name}`;
  return { ref, body: pushBody([set(ref, first)], pack()) };
}

describe('paths and methods', () => {
  it('GIT-001, GIT-009: the three endpoints answer 200 with the media types of Git, without parameters', async () => {
    for (const service of services) {
      const found = await discover(repo, { service });
      expect([found.status, found.headers.get('content-type')]).toEqual([
        200,
        `application/x-${service}-advertisement`,
      ]);
      const answered = await post(repo, flush, { service, version: 0 });
      expect([answered.status, answered.headers.get('content-type')]).toEqual([200, `application/x-${service}-result`]);
    }
  });

  it('GIT-002: exactly one .git is cut off, and ASCII case does not matter', async () => {
    const base = repo.remote.replace(/\/default\/Http\.git$/, '');
    expect(base).not.toBe(repo.remote);
    const status = async (path: string): Promise<[number, string]> => {
      const headers = { authorization: `Bearer ${repo.token}` };
      const response = await fetch(`${base}${path}/info/refs?service=git-upload-pack`, { headers });
      return [response.status, response.status === 200 ? '' : await response.text()];
    };
    for (const path of ['/default/Http.git', '/default/hTTP.git', '/DEFAULT/http.git'])
      expect(await status(path)).toEqual([200, '']);
    expect(await status('/default/Http')).toEqual([404, 'Not found']);
    expect(await status('/default/Http.git.git')).toEqual([403, 'Invalid or expired token']);
  });

  it('GIT-003: another method is 405 with what is allowed', async () => {
    for (const service of services) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const { status, headers } = await ask(`/info/refs?service=${service}`, { method });
        expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET']);
      }
      for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await ask(`/${service}`, { method });
        expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST']);
      }
    }
  });

  it('GIT-004: LFS, archives and every other path are 404', async () => {
    for (const path of [
      '',
      '/',
      '/info/lfs/objects/batch',
      '/git-upload-archive',
      '/info',
      '/config',
      '/git-upload-pack/',
      '/HEAD/x',
    ]) {
      for (const method of ['GET', 'POST']) {
        const { status, text } = await ask(path, { method });
        expect([path, status, text]).toEqual([path, 404, 'Not found']);
      }
    }
  });

  it('GIT-005: the dumb protocol is refused with a sentence', async () => {
    for (const path of [
      '/info/refs',
      '/info/refs?x=1',
      '/HEAD',
      '/objects/info/packs',
      `/objects/${first.oid.slice(0, 2)}/${first.oid.slice(2)}`,
      '/refs/heads/main',
    ]) {
      const { status, text } = await ask(path);
      expect([path, status, text]).toEqual([path, 403, dumb]);
    }
  });

  it('GIT-006: another service is refused, further parameters are ignored', async () => {
    for (const name of ['git-upload-archive', 'upload-pack', '', 'GIT-UPLOAD-PACK']) {
      const { status, text } = await ask(`/info/refs?service=${name}`);
      expect([name, status, text]).toEqual([name, 403, 'Unsupported service']);
    }
    expect((await ask('/info/refs?a=b&service=git-upload-pack&token=x')).status).toBe(200);
  });
});

describe('replies', () => {
  const uncached = {
    'cache-control': 'no-cache, max-age=0, must-revalidate',
    pragma: 'no-cache',
    expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  };

  it('GIT-007: every refusal is the text alone', async () => {
    const refused = [
      await ask('/none'),
      await ask('/git-upload-pack'),
      await ask('/HEAD'),
      await ask('/info/refs?service=x'),
      await ask('/info/refs?service=git-upload-pack', {}, false),
      await ask('/info/refs?service=git-upload-pack', { headers: { authorization: 'Bearer x' } }),
      await ask('/git-upload-pack', { method: 'POST', body: '0000' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 405, 403, 403, 401, 403, 415]);
    for (const { headers, text } of refused) {
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(text).toMatch(/^[A-Z][^\n]*$/);
    }
  });

  it('GIT-014: no reply may be kept, none sets a cookie, and cookies are ignored', async () => {
    const cookie = { cookie: 'session=1; token=2' };
    const replies = [
      await discover(repo, { headers: cookie }),
      await post(repo, flush, { headers: cookie }),
      await post(repo, commandBody('ls-refs'), { headers: cookie }),
      await post(repo, creation('kept').body, { service: 'git-receive-pack', headers: cookie }),
      await ask('/none'),
      await ask('/git-upload-pack'),
      await ask('/HEAD'),
      await ask('/info/refs?service=git-upload-pack', { headers: cookie }, false),
      await ask('/git-upload-pack', { method: 'POST', body: '0000' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404, 405, 403, 401, 415]);
    for (const { headers } of replies) {
      expect(Object.fromEntries(headers)).toMatchObject(uncached);
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it('GIT-013: the probe of a large push, a single flush, is answered 200 with an empty body', async () => {
    for (const service of services) {
      for (const version of [0, 1, 2] as const) {
        const { status, headers, body } = await post(repo, flush, { service, version });
        expect([status, headers.get('content-type'), body.length]).toEqual([200, `application/x-${service}-result`, 0]);
      }
    }
  });

  it('GIT-019: without a list of origins there are no CORS headers, and a preflight is just another method', async () => {
    const origin = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const { status, headers } = await ask('/git-upload-pack', { method: 'OPTIONS', headers: origin }, false);
    expect(status).toBe(405);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('bodies', () => {
  it('GIT-010: another media type is 415, Accept is not enforced', async () => {
    for (const type of [
      'application/x-git-receive-pack-request',
      'text/plain',
      'application/x-git-upload-pack-result',
    ]) {
      const { status, body } = await post(repo, flush, { headers: { 'content-type': type } });
      expect([type, status, body.toString()]).toEqual([type, 415, 'Unsupported content type']);
    }
    const type = 'Application/X-Git-Upload-Pack-Request; charset=utf-8';
    expect((await post(repo, flush, { headers: { 'content-type': type, accept: 'text/html' } })).status).toBe(200);
  });

  it('GIT-011: bodies come as they are, chunked, and gzipped under both names', async () => {
    const plain = commandBody('ls-refs');
    const expected = (await post(repo, plain)).body;
    expect(linesOf(expected)).toContain(`${first.oid} refs/heads/main`);
    for (const [encoding, body] of [
      ['identity', plain],
      ['gzip', gzipSync(plain)],
      ['x-gzip', gzipSync(plain)],
      ['GZIP', gzipSync(plain)],
    ] as const) {
      const reply = await post(repo, body, { headers: { 'content-encoding': encoding } });
      expect([encoding, reply.status, reply.body]).toEqual([encoding, 200, expected]);
    }
    for (const gzipped of [false, true]) {
      const whole = gzipped ? gzipSync(plain) : plain;
      expect(
        await chunked(
          'git-upload-pack',
          [...whole].map((byte) => Buffer.of(byte)),
          gzipped,
        ),
      ).toEqual({ status: 200, body: expected });
    }
  });

  it('GIT-011: a gzipped and chunked push works', async () => {
    const { ref, body } = creation('gzipped');
    const zipped = gzipSync(body);
    const reply = await chunked('git-receive-pack', [zipped.subarray(0, 20), zipped.subarray(20)], true);
    expect(reportOf(reply.body)).toEqual(['unpack ok', `ok ${ref}`]);
    expect(await listedRefs(repo)).toHaveProperty([ref], first.oid);
  });

  it('GIT-011: another encoding is 415, broken gzip data 400, and nothing changes', async () => {
    const { ref, body } = creation('broken');
    const zipped = gzipSync(body);
    const damaged = Buffer.from(zipped);
    damaged.writeUInt8((damaged.at(-6) as number) ^ 1, damaged.length - 6);
    const attempt = async (encoding: string, bytes: Uint8Array): Promise<[number, string]> => {
      const reply = await post(repo, bytes, {
        service: 'git-receive-pack',
        version: 0,
        headers: { 'content-encoding': encoding },
      });
      return [reply.status, reply.body.toString()];
    };
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'zstd'])
      expect((await attempt(encoding, zipped))[0]).toBe(415);
    const malformed = [400, expect.stringMatching(/^Malformed request: .*gzip/)];
    expect(await attempt('gzip', body)).toEqual(malformed);
    expect(await attempt('gzip', zipped.subarray(0, -12))).toEqual(malformed);
    expect(await attempt('gzip', damaged)).toEqual(malformed);
    expect(await listedRefs(repo)).not.toHaveProperty([ref]);
  });

  it('GIT-012: a request that waits for 100 Continue succeeds', async () => {
    const { ref, body } = creation('waited');
    const reply = await chunked('git-receive-pack', [body], false, { expect: '100-continue' });
    expect(reportOf(reply.body)).toEqual(['unpack ok', `ok ${ref}`]);
  });

  it('GIT-016: broken framing is 400 with the reason, in each service and version, and nothing changes', async () => {
    const command = `${noObject} ${first.oid} refs/heads/framing\0report-status`;
    const cut = packet(command).subarray(0, -3);
    const broken: [string, (typeof services)[number], 0 | 1 | 2, Buffer][] = [
      ['no number', 'git-upload-pack', 2, Buffer.from('zzzz')],
      ['0002', 'git-upload-pack', 0, Buffer.from('0002')],
      ['0003', 'git-upload-pack', 2, Buffer.from('0003')],
      ['too long', 'git-upload-pack', 1, Buffer.concat([Buffer.from('fff1'), Buffer.alloc(65_521)])],
      ['cut packet', 'git-upload-pack', 2, commandBody('ls-refs').subarray(0, 10)],
      ['no flush', 'git-upload-pack', 2, commandBody('ls-refs').subarray(0, -4)],
      ['no flush after wants', 'git-upload-pack', 0, packet(`want ${first.oid}\n`)],
      ['delim in version 0', 'git-upload-pack', 0, Buffer.from('0001')],
      ['delim in version 1', 'git-upload-pack', 1, Buffer.from('0001')],
      ['no number', 'git-receive-pack', 0, Buffer.from('-001')],
      ['cut command', 'git-receive-pack', 0, cut],
      ['no flush', 'git-receive-pack', 0, packet(command)],
      ['delim', 'git-receive-pack', 0, Buffer.concat([packet(command), Buffer.from('0001')])],
      ['delim, version 2 asked for', 'git-receive-pack', 2, Buffer.concat([packet(command), Buffer.from('0001')])],
      ['empty', 'git-receive-pack', 0, Buffer.alloc(0)],
    ];
    for (const [name, service, version, body] of broken) {
      const reply = await post(repo, body, { service, version });
      expect([name, service, reply.status, reply.body.toString()]).toEqual([
        name,
        service,
        400,
        expect.stringMatching(/^Malformed request: \S/),
      ]);
    }
    expect(await listedRefs(repo)).not.toHaveProperty(['refs/heads/framing']);
  });

  it('GIT-017: what is framed well but cannot be served is one ERR packet and nothing after it', async () => {
    for (const [version, body] of [
      [2, commandBody('none')],
      [2, commandBody('ls-refs', ['none'])],
      [0, Buffer.concat([packet(`want ${'1'.repeat(40)}\n`), flush, packet('done\n')])],
      [1, Buffer.concat([packet('hello\n'), flush, packet('done\n')])],
    ] as const) {
      const { status, body: reply } = await post(repo, body, { version });
      expect(status).toBe(200);
      expect(linesOf(reply)).toEqual([expect.stringMatching(/^ERR \S/)]);
    }
  });

  it('GIT-018: a push that cannot be served is told by its report, never by ERR', async () => {
    const commands = [set('refs/heads/one', first), set('refs/heads/two', first)];
    for (const [words, reason] of [
      ['object-format=sha256', "unsupported object format 'sha256'"],
      ['object-format=x', "unsupported object format 'x'"],
    ] as const) {
      const body = pushBody(commands, pack(), `report-status side-band-64k ${words}`);
      const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
      expect(reply.status).toBe(200);
      expect(reply.body.includes('ERR ')).toBe(false);
      expect(reportOf(reply.body)).toEqual([
        `unpack ${reason}`,
        'ng refs/heads/one unpacker error',
        'ng refs/heads/two unpacker error',
      ]);
    }
  });
});

describe('GIT-008: checks run in their order', () => {
  const send = async (
    path: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) => {
    const response = await fetch(repo.remote + path, init);
    return [response.status, await response.text()];
  };

  it('the path, then the method, then dumb and service, come before the credential', async () => {
    expect(await send('/none', { method: 'DELETE' })).toEqual([404, 'Not found']);
    expect((await send('/info/refs?service=x', { method: 'PUT' }))[0]).toBe(405);
    expect(await send('/info/refs')).toEqual([403, dumb]);
    expect(await send('/info/refs?service=x')).toEqual([403, 'Unsupported service']);
  });

  it('the credential comes before the scope, the scope before the body', async () => {
    const bad = { 'content-type': 'text/plain', 'content-encoding': 'br' };
    const body = 'zzzz';
    expect((await send('/git-receive-pack', { method: 'POST', headers: bad, body }))[0]).toBe(401);
    const unknown = { ...bad, authorization: 'Bearer unknown' };
    expect(await send('/git-receive-pack', { method: 'POST', headers: unknown, body })).toEqual([
      403,
      'Invalid or expired token',
    ]);
    const { result } = await server.rest('POST', '/namespaces/default/tokens', { repo: repo.name, scope: 'read' });
    const reader = { ...bad, authorization: `Bearer ${result['plaintext']}` };
    expect(await send('/git-receive-pack', { method: 'POST', headers: reader, body })).toEqual([
      403,
      'Insufficient permissions',
    ]);
    const writer = { ...bad, authorization: `Bearer ${repo.token}` };
    expect(await send('/git-receive-pack', { method: 'POST', headers: writer, body })).toEqual([
      415,
      'Unsupported content type',
    ]);
    const typed = { ...writer, 'content-type': 'application/x-git-receive-pack-request' };
    expect((await send('/git-receive-pack', { method: 'POST', headers: typed, body }))[0]).toBe(415);
    const plain = { 'content-type': typed['content-type'], authorization: writer.authorization };
    expect((await send('/git-receive-pack', { method: 'POST', headers: plain, body }))[0]).toBe(400);
  });

  it('broken framing comes before what a request asks for', async () => {
    const body = Buffer.concat([packet('command=none\n'), Buffer.from('zzzz')]);
    expect((await post(repo, body)).status).toBe(400);
  });
});

it('GIT-015: each POST is complete in itself: the same one answers the same on any connection, whatever came before', async () => {
  const body = commandBody('fetch', [`want ${first.oid}`, `have ${'1'.repeat(40)}`]);
  const replies = [
    await post(repo, body),
    await post(repo, commandBody('ls-refs')),
    await post(repo, body, { headers: { connection: 'close' } }),
  ];
  expect(linesOf(replies[0]?.body as Buffer)).toEqual(['acknowledgments', 'NAK', 'flush']);
  expect(replies[2]?.body).toEqual(replies[0]?.body);
});

it('GIT-177: HTTP/1.0 works, the reply ends with the connection', async () => {
  const { host, hostname, port, pathname } = new URL(repo.remote);
  const head = `GET ${pathname}/info/refs?service=git-upload-pack HTTP/1.0\r\nHost: ${host}\r\nAuthorization: Bearer ${repo.token}\r\n\r\n`;
  const reply = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(head));
    const parts: Buffer[] = [];
    socket.on('data', (part) => parts.push(part));
    socket.on('error', reject);
    socket.on('end', () => resolve(Buffer.concat(parts).toString('latin1')));
  });
  const [headers = '', body = ''] = reply.split('\r\n\r\n');
  expect(headers).toMatch(/^HTTP\/1\.[01] 200 /);
  expect(headers).not.toMatch(/transfer-encoding/i);
  expect(linesOf(Buffer.from(body, 'latin1'))).toEqual(
    (await discover(repo)).lines.map((line) => expect.stringContaining(line.split('\0')[0] as string)),
  );
});

describe('GIT-019: with origins listed', () => {
  const app = 'https://app.example';
  const asks = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };

  beforeAll(async () => {
    await server.restart({ settings: { cors_origins: [app] } });
  });

  it('preflights from them are answered without a credential, others are not', async () => {
    for (const path of ['/info/refs?service=git-upload-pack', '/git-upload-pack', '/git-receive-pack']) {
      const listed = await ask(path, { method: 'OPTIONS', headers: { ...asks, origin: app } }, false);
      expect([path, listed.status, listed.text]).toEqual([path, 204, '']);
      expect(listed.headers.get('access-control-allow-origin')).toBe(app);
      expect(listed.headers.get('access-control-allow-headers')?.toLowerCase().split(/, */)).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'git-protocol']),
      );
      const foreign = await ask(
        path,
        { method: 'OPTIONS', headers: { ...asks, origin: 'https://evil.example' } },
        false,
      );
      expect([path, foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([path, 405, null]);
    }
  });

  it('replies and refusals can be read by them, and caches are told that it depends', async () => {
    for (const [headers, status] of [
      [{ origin: app }, 200],
      [{ origin: app, authorization: 'Bearer x' }, 403],
      [{ origin: 'https://evil.example' }, 200],
    ] as const) {
      const reply = await ask('/info/refs?service=git-upload-pack', { headers });
      expect(reply.status).toBe(status);
      const allowed = headers.origin === app;
      expect(reply.headers.get('access-control-allow-origin')).toBe(allowed ? app : null);
      expect(reply.headers.get('access-control-expose-headers')).toBe(allowed ? 'Content-Type' : null);
      expect(reply.headers.get('vary')).toMatch(/origin/i);
    }
  });
});

/** Posts with chunked encoding, one chunk a part. */
function chunked(
  service: string,
  parts: readonly Uint8Array[],
  gzipped: boolean,
  more: Record<string, string> = {},
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${repo.token}`,
      'content-type': `application/x-${service}-request`,
      'git-protocol': 'version=2',
      ...(gzipped ? { 'content-encoding': 'gzip' } : {}),
      ...more,
    };
    const request = httpRequest(`${repo.remote}/${service}`, { method: 'POST', headers }, (response) => {
      const got: Buffer[] = [];
      response.on('data', (part: Buffer) => got.push(part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(got) }));
    });
    request.on('error', reject);
    const send = (): void => {
      for (const part of parts) request.write(part);
      request.end();
    };
    if ('expect' in more) {
      request.on('continue', send);
      request.flushHeaders();
    } else send();
  });
}
