import { createGitEngine, NotEnoughMemoryError } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { DatabaseUnavailable, repoErrors } from '@packhouse/base';
import { cloudflare, neutral } from '@packhouse/hosting';
import { describe, expect, it, vi } from 'vitest';
import { editToken, testService, type Reply } from '../test-service.test.util.ts';

const error = (reply: Reply) => [reply.status, reply.json.errors[0]?.code, reply.json.errors[0]?.message];

describe.each([neutral, cloudflare])('request handling, $name', (dialect) => {
  const account = `${dialect.basePath}/accounts/a1`;
  const base = `${account}/${dialect.serviceSegment}`;

  it('REPO-030, REPO-032: checks the permission, edit includes read, and the scheme may have any case', async () => {
    const { call } = testService({ dialect });
    const as = (token: string, method = 'GET') =>
      call(method, '/namespaces', method === 'POST' ? { namespace: 'nn' } : undefined, { authorization: token });
    expect((await as('bEARER read-a1')).status).toBe(200);
    expect((await as(`bearer  ${editToken}`, 'POST')).status).toBe(201);
    for (const reply of [await as('Bearer read-a1', 'POST'), await as('Bearer edit-a2'), await as('Bearer nothing')]) {
      expect(error(reply)).toEqual([403, 10000, 'Insufficient permission']);
    }
  });

  it('REPO-033, REPO-034, REPO-035: the envelope has its members in order and an exact content type', async () => {
    const { call } = testService({ dialect, settings: { docs_base: 'https://docs.test/kit' } });
    const success = await call('POST', '/namespaces', { namespace: 'default', jurisdiction: 'eu' });
    expect(success.text).toBe(
      '{"result":{"namespace":"default","jurisdiction":"eu","repo_count":0,"created_at":"2026-11-20T09:15:02.114Z","updated_at":"2026-11-20T09:15:02.114Z"},"success":true,"errors":[],"messages":[]}',
    );
    const failure = await call('POST', '/namespaces/default/repos', { name: '-' });
    const link =
      dialect === neutral
        ? 'https://docs.test/kit/repos/errors#10101'
        : 'https://developers.cloudflare.com/artifacts/api/errors#10101';
    expect(failure.text).toBe(
      `{"result":null,"success":false,"errors":[{"code":10101,"message":"Invalid repo name: must match /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/","documentation_url":"${link}","source":{"pointer":"/name"},"reason":"invalid_repo_name","retryable":false,"hint":"${repoErrors.invalidRepoName.hint}"}],"messages":[]}`,
    );
    for (const { headers } of [success, failure]) expect(headers.get('content-type')).toBe('application/json');
    expect(Object.keys((await call('GET', '/namespaces')).json)).toEqual([
      'result',
      'success',
      'errors',
      'messages',
      'result_info',
    ]);
  });

  it('REPO-038: a path without a route is 404 in the envelope, before any credential check', async () => {
    const { send } = testService({ dialect });
    const paths = [
      `${base}`,
      `${base}/`,
      `${base}/namespaces/`,
      `${base}/namespaces/n/`,
      `${base}/namespaces/n/repos/`,
      `${base}/namespaces/n/repos/r/tokens/x`,
      `${base}/namespaces/n/repos/r/more`,
      `${base}/namespaces/n/repos/r/log/`,
      `${base}/namespaces/n/repos/r/commit/`,
      `${base}/namespaces/n/repos/r/blob/x/y`,
      `${base}/namespaces/n/repos/r/file/x`,
      `${base}/namespaces/n/repos/r/raw/main`,
      `${base}/namespaces//repos`,
      `${account}`,
      `${dialect.basePath}/`,
      dialect.basePath,
      `${base.replace('a1', 'a%201')}/namespaces`,
      `${base.replace('a1', 'a.1')}/namespaces`,
      `${base.replace('a1', 'a'.repeat(65))}/namespaces`,
      `${base}/namespaces/n/repos/r/fork/`,
      `${base}/namespaces/n/repos/r/import/`,
    ];
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PUT']) {
        const response = await send(path, { method });
        expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 404, 'application/json']);
        expect((await response.json()).errors[0]).toMatchObject({ code: 7003, message: 'No route for the URI' });
      }
    }
  });

  it('REPO-039: another method is 405 with Allow, before any credential check; HEAD works wherever GET does', async () => {
    const { send, call, service, hosting } = testService({ dialect });
    const allowed = [
      ['/namespaces', 'POST, GET, HEAD'],
      ['/namespaces/n', 'GET, HEAD, DELETE'],
      ['/namespaces/n/repos', 'POST, GET, HEAD'],
      ['/namespaces/n/repos/r', 'GET, HEAD, PATCH, DELETE'],
      ['/namespaces/n/repos/r/tokens', 'GET, HEAD'],
      ['/namespaces/n/tokens', 'POST'],
      ['/namespaces/n/tokens/t', 'DELETE'],
    ];
    for (const [path, allow] of allowed) {
      for (const method of ['PUT', 'TEST', 'OPTIONS']) {
        const response = await send(`${base}${path}`, { method });
        expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, allow]);
        expect((await response.json()).errors[0]).toMatchObject({
          code: 7001,
          message: 'Method not available for the URI',
        });
      }
    }
    // `Request` rejects TRACE, so override the method, as the HTTP bridge of `server` does.
    const trace = Object.defineProperty(
      new Request(new URL(`${base}/namespaces`, hosting.settings.public_url)),
      'method',
      {
        value: 'TRACE',
      },
    );
    const traced = await service(trace);
    expect([traced.status, (await traced.json()).errors[0].code]).toEqual([405, 7001]);
    expect((await send(`${base}/namespaces/n/tokens`, { method: 'HEAD' })).status).toBe(405);
    expect((await send(`${base.replace('a1', 'a!1')}/namespaces`, { method: 'PUT' })).status).toBe(404);
    await call('POST', '/namespaces/nn/repos', { name: 'r' });
    for (const path of [
      '/namespaces',
      '/namespaces/nn',
      '/namespaces/nn/repos',
      '/namespaces/nn/repos/r',
      '/namespaces/none',
    ]) {
      const [get, head] = [await call('GET', path), await call('HEAD', path)];
      expect([head.status, head.text, head.headers.get('content-type')]).toEqual([get.status, '', 'application/json']);
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
      expect([...head.headers.keys()]).toEqual([...get.headers.keys()]);
    }
  });

  it('REPO-040, REPO-311: a body is JSON in UTF-8 without a coding, or 415', async () => {
    const { call } = testService({ dialect });
    const post = (type: string) => call('POST', '/namespaces', '{}', { 'content-type': type });
    for (const type of [
      'text/plain',
      'application/json; charset=iso-8859-1',
      'application/json5',
      'application/x-www-form-urlencoded',
      '',
    ]) {
      expect(error(await post(type))).toEqual([415, 10415, 'Unsupported media type']);
    }
    for (const type of [
      'application/json',
      'Application/JSON; Charset="UTF-8"',
      'application/json;charset=utf-8; x=y',
    ]) {
      expect((await post(type)).status).toBe(400);
    }
    const packed = await call('POST', '/namespaces', '{}', {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    });
    expect(error(packed)).toEqual([415, 10415, 'Unsupported media type: expected a body without Content-Encoding']);
    const { send } = testService({ dialect });
    const bare = new Request('http://x/', { method: 'POST', body: new TextEncoder().encode('{"namespace":"nn"}') });
    expect(bare.headers.get('content-type')).toBe(null);
    const response = await send(`${base}/namespaces`, {
      method: 'POST',
      body: await bare.bytes(),
      headers: { authorization: `Bearer ${editToken}` },
    });
    expect(response.status).toBe(201);
  });

  it('LIM-026, LIM-041: refuses a commit above its limits, and takes one above that of other requests', async () => {
    const { call } = testService({ dialect, settings: { rest_body_max: 100, commit_body_max: 17 * 1024 * 1024 } });
    const path = '/namespaces/nn/repos/r/commits';
    const body = { branch: 'main', message: 'x'.repeat(200) };
    expect((await call('POST', path, body)).status).toBe(400);
    const large = 'x'.repeat(16.5 * 1024 * 1024);
    const limitOf = async (more: object) => (await call('POST', path, { ...body, ...more })).json.errors[0]?.details;
    expect(await limitOf({ message: 'x'.repeat(1024 * 1024) })).toEqual({ limit: 1024 * 1024 });
    const members = Array.from({ length: 17 }, (_, i) => [`x${i}`, 'x'.repeat(1_000_000)]);
    expect(await limitOf(Object.fromEntries(members))).toEqual({ limit: 16 * 1024 * 1024 });
    const put = { op: 'put', path: 'x', content: large };
    expect((await call('POST', path, { ...body, changes: [put] })).status).toBe(400);
    const tooLarge = await call('POST', path, { ...body, changes: [put, { ...put, content: 'x'.repeat(1e6) }] });
    expect(tooLarge.json.errors[0]?.details).toEqual({ limit: 17 * 1024 * 1024 });
  });

  it('LIM-080: refuses a commit with more members than its memory holds', async () => {
    const engine = createGitEngine({ codec: nodeCodec(), memory: 24 * 1024 * 1024 });
    const { call } = testService({ dialect, engine });
    const members = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [i, 0]));
    for (const body of [members, { changes: [members] }]) {
      const reply = await call('POST', '/namespaces/nn/repos/r/commits', body);
      expect([reply.status, engine.admission.reserved]).toEqual([413, 0]);
    }
    expect((await call('POST', '/namespaces/nn/repos/r/commits', { z: members })).status).toBe(400);
  });

  it('REPO-308: reads the members of a commit in any order, and finds the faults of the whole body', async () => {
    const engine = createGitEngine({ codec: nodeCodec() });
    const { call, send } = testService({ dialect, engine });
    await call('POST', '/namespaces/nn/repos', { name: 'r' });
    const author = { name: 'A', email: 'a@example.com', time: 1 };
    const json = { 'content-type': 'application/json' };
    const put = { op: 'put', path: 'x', content: 'é😀\n'.repeat(30_000) };
    const path = '/namespaces/nn/repos/r/commits';
    const pointers = async (body: unknown) =>
      (await call('POST', path, body, json)).json.errors.map(({ source, code }) => [code, source?.pointer]);
    const bad = [{ path: '.git', op: 'put', content: 1 }, 5];
    expect(await pointers({ changes: [put, ...bad], message: '', branch: 'a..b' })).toEqual([
      [10100, '/branch'],
      [10100, '/message'],
      [10100, '/author'],
      [10100, '/changes/1/path'],
      [10100, '/changes/1/content'],
      [10100, '/changes/2'],
      [10100, '/changes/2/op'],
      [10100, '/changes/2/path'],
    ]);
    const text = JSON.stringify({ changes: [put], message: 'm', branch: 'main', author });
    const twice = [
      ['{"branch":"x","branch":"y"', '/branch'],
      ['{"changes":[],"changes":[]}', '/changes'],
      ['{"changes":[{"op":"put"},{"path":"x","path":"x"', '/changes/1/path'],
    ] as const;
    for (const [body, pointer] of twice) expect(await pointers(body)).toEqual([[10100, pointer]]);
    for (const body of [text.slice(0, -1), `${text}}`, `[${text}]`, '', text.replace('}],', '},],')]) {
      expect(error(await call('POST', path, body, json))).toEqual([400, 10100, 'Malformed JSON body']);
    }
    const bytes = new TextEncoder().encode(text);
    let cancelled = false;
    const sendPart = async (end: Error | undefined) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(bytes.subarray(0, end === undefined ? undefined : -9)),
        pull: (controller) => (end === undefined ? controller.close() : controller.error(end)),
        cancel: () => void (cancelled = true),
      });
      const headers = { authorization: `Bearer ${editToken}` };
      return send(`${base}${path}`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
    };
    expect((await sendPart(new Error('the client left'))).status).toBe(400);
    expect(cancelled).toBe(false);
    expect((await call('GET', '/namespaces/nn/repos/r')).json.result).toMatchObject({ object_count: 0 });
    expect((await sendPart(undefined)).status).toBe(201);
    expect((await call('GET', '/namespaces/nn/repos/r')).json.result).toMatchObject({ object_count: 3 });
    const twoParts = (second: () => Promise<string>) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(text.slice(0, -1))),
        pull: async (controller) => {
          controller.enqueue(new TextEncoder().encode(`,"expected_head":"${await second()}"}`));
          controller.close();
        },
      });
      const headers = { authorization: `Bearer ${editToken}` };
      return send(`${base}${path}`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
    };
    const moved = await twoParts(async () => {
      const change = {
        changes: [{ op: 'put', path: 'x', content: 'meanwhile' }],
        message: 'm',
        branch: 'main',
        author,
      };
      return (await call('POST', path, change)).json.result.commit as string;
    });
    expect(moved.status).toBe(201);
    expect(engine.admission.reserved).toBe(0);
  });

  it('REPO-041, LIM-009: a body above the limit is 413, by its length or while it arrives, and is read no further', async () => {
    const { call, send } = testService({ dialect, settings: { rest_body_max: 100 } });
    const headers = { 'content-type': 'application/json' };
    const exact = JSON.stringify({ namespace: 'nn', padding: '' });
    const fits = JSON.stringify({ namespace: 'nn', padding: 'x'.repeat(100 - exact.length) });
    expect((await call('POST', '/namespaces', fits, headers)).status).toBe(201);
    expect(error(await call('POST', '/namespaces', `${fits} `, headers))).toEqual([
      413,
      10413,
      'Request body too large',
    ]);
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(30).fill(32));
      },
    });
    const init = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { ...headers, authorization: `Bearer ${editToken}` },
    };
    expect((await send(`${base}/namespaces`, init)).status).toBe(413);
    expect(pulled).toBeLessThan(8);
    const declared = await send(`${base}/namespaces`, {
      method: 'POST',
      body: '{}',
      headers: { ...init.headers, 'content-length': '101' },
    });
    expect(declared.status).toBe(413);
  });

  it('REPO-042: a body that stalls is cancelled and answered with 400', async () => {
    vi.useFakeTimers();
    try {
      const { send } = testService({ dialect });
      const stalls = (whole: string): { body: ReadableStream<Uint8Array>; cancelled: () => boolean } => {
        let cancelled = false;
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode(whole)),
          cancel() {
            cancelled = true;
          },
        });
        return { body, cancelled: () => cancelled };
      };
      // The bytes so far are valid JSON, but the client may want to send more.
      const { body, cancelled } = stalls('{"namespace":"nn"}');
      const init = { method: 'POST', body, duplex: 'half', headers: { authorization: `Bearer ${editToken}` } };
      const reply = send(`${base}/namespaces`, init);
      await vi.advanceTimersByTimeAsync(50_000);
      expect(cancelled()).toBe(false);
      await vi.advanceTimersByTimeAsync(100_000);
      expect(cancelled()).toBe(true);
      expect([(await reply).status, vi.getTimerCount()]).toEqual([400, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('REPO-043, LIM-001: counts requests per namespace, others per account, and sends Retry-After', async () => {
    const settings = { rate_rest: { requests: 2, seconds: 10 }, cors_origins: ['https://app.example'] };
    const { call, pass } = testService({ dialect, settings });
    const get = (path: string) => call('GET', path);
    expect([(await get('/namespaces/nn')).status, (await get('/namespaces/NN/repos')).status]).toEqual([404, 200]);
    pass(7.5);
    const refused = await get('/namespaces/nn');
    expect(error(refused)).toEqual([429, 10429, 'Rate limit exceeded']);
    expect(refused.headers.get('retry-after')).toBe('3');
    // A page must be able to read when it may try its commit again (REPO-302).
    const commit = await call('POST', '/namespaces/nn/repos/r/commits', {}, { origin: 'https://app.example' });
    expect([commit.status, commit.headers.get('access-control-allow-origin')]).toEqual([429, 'https://app.example']);
    expect(commit.headers.get('retry-after')).toBe('3');
    expect(commit.headers.get('access-control-expose-headers')).toContain('Retry-After');
    expect((await get('/namespaces/other')).status).toBe(404);
    expect((await get('/namespaces')).status).toBe(200);
    expect((await get('/namespaces')).status).toBe(200);
    expect((await get('/namespaces')).status).toBe(429);
    pass(2.5);
    expect((await get('/namespaces/nn')).status).toBe(404);
  });

  it('REPO-036, REPO-037: reports bad fields in the order path, query, body, before a missing repo', async () => {
    const { call } = testService({ dialect });
    const pointers = ({ json }: Reply) => json.errors.map(({ source }) => source?.pointer);
    const created = await call('POST', '/namespaces/n-/repos', {
      read_only: 1,
      default_branch: 'a..b',
      description: 5,
      name: '',
    });
    expect(created.json.errors.map(({ code }) => code)).toEqual([10100, 10101, 10100, 10100, 10100]);
    expect(pointers(created)).toEqual(['/namespace', '/name', '/description', '/default_branch', '/read_only']);
    const listed = await call('GET', '/namespaces/nn/repos?direction=up&sort=size&page=0&limit=x&cursor=%21');
    expect(pointers(listed)).toEqual(['/limit', '/page', '/sort', '/direction']);
    expect(pointers(await call('GET', '/namespaces/nn/repos?page=0&limit=x&cursor=%21'))).toEqual([
      '/limit',
      '/cursor',
      '/page',
    ]);
    expect(pointers(await call('POST', '/namespaces/nn/tokens', { ttl: 1, scope: 'x', repo: 5 }))).toEqual([
      '/repo',
      '/scope',
      '/ttl',
    ]);
    expect(pointers(await call('GET', '/namespaces/nn/repos/none/tokens?state=x&per_page=101&page=0'))).toEqual([
      '/page',
      '/per_page',
      '/state',
    ]);
  });

  it('REPO-044, REPO-172, REPO-009: an unexpected failure leaks nothing, neither in the reply nor in the log', async () => {
    const { call, faults, log } = testService({ dialect });
    const secret = `${dialect.tokenPrefix}${'ab'.repeat(20)}`;
    faults.set(
      'namespaces',
      Object.assign(new Error(`ENOENT: open '/srv/data/x.sqlite' ${secret}?expires=12`), { code: 'ENOENT' }),
    );
    const reply = await call('GET', '/namespaces');
    expect(error(reply)).toEqual([500, 10400, 'An internal error occurred.']);
    expect(reply.text).not.toMatch(/ENOENT|srv/);
    const failure = log.find(({ event }) => event === 'failure');
    expect(failure).toMatchObject({
      error: 'Error',
      code: 'ENOENT',
      request_id: reply.headers.get(dialect.requestIdHeader),
    });
    expect(JSON.stringify(log)).not.toMatch(/srv|(?:ab){12}|at .*\.ts/);
  });

  it.each([
    ['ENOSPC', [507, 10507, 'The disk of the service is full.'], null],
    ['ENFILE', [503, 10503, 'The service is overloaded. Please retry.'], '10'],
  ])('REPO-175, REPO-176: reports %s to the client and in the log', async (code, expected, retryAfter) => {
    const { call, faults, log } = testService({ dialect });
    faults.set('namespaces', Object.assign(new Error(`${code}: open '/srv/data/x.sqlite'`), { code }));
    const reply = await call('GET', '/namespaces');
    expect(error(reply)).toEqual(expected);
    expect(reply.headers.get('retry-after')).toBe(retryAfter);
    expect(log.find(({ event }) => event === 'failure')).toMatchObject({ code });
  });

  it('REPO-334: reports a database that cannot be reached, and not where it is', async () => {
    const { call, faults, log } = testService({ dialect });
    faults.set('namespaces', new DatabaseUnavailable('ECONNREFUSED', false));
    const reply = await call('GET', '/namespaces');
    expect(error(reply)).toEqual([503, 10503, 'The storage of the service cannot be reached. Please retry.']);
    expect(reply.headers.get('retry-after')).toBe('5');
    expect(log.find(({ event }) => event === 'failure')).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('LIM-080, REPO-174, REPO-175: a request without enough memory is 413, or 503 if it may fit later', async () => {
    const { call, faults } = testService({ dialect });
    const refusal = { needed: 12, limit: 10, setting: 'memory_max' } as const;
    faults.set('namespaces', new NotEnoughMemoryError(refusal));
    expect(error(await call('GET', '/namespaces'))).toEqual([
      413,
      10402,
      'not enough memory: 12 bytes, limit 10 (memory_max)',
    ]);
    faults.set('namespaces', new NotEnoughMemoryError({ ...refusal, needed: 8, isTemporary: true }));
    const busy = await call('GET', '/namespaces');
    expect(error(busy)).toEqual([503, 10503, 'not enough memory now, try again: 8 bytes, limit 10 (memory_max)']);
    expect(busy.headers.get('retry-after')).toBe('10');
  });

  it('REPO-009: logs one line per request, without query and token', async () => {
    const { call, log } = testService({ dialect });
    await call('GET', '/namespaces?cursor=secret');
    const path = `${base}/namespaces`;
    expect(log).toEqual([
      {
        event: 'request',
        request_id: expect.any(String),
        method: 'GET',
        path,
        operation: 'listNamespaces',
        status: 400,
        ms: 0,
        account: 'a1',
      },
    ]);
    await call('GET', `/namespaces/${dialect.tokenPrefix}${'ab'.repeat(20)}`);
    expect(JSON.stringify(log)).not.toMatch(/(?:ab){12}|edit-a1/);
  });

  it('REPO-003: the neutral dialect names no platform, in any constant or document', async () => {
    const { send } = testService({ dialect });
    const texts = [
      JSON.stringify(dialect),
      await (await send('/openapi.json')).text(),
      await (await send('/docs')).text(),
    ];
    for (const text of texts) expect(/cloudflare|cf-|artifact|gitty/i.test(text)).toBe(dialect === cloudflare);
  });

  it('the OpenAPI document lists every route with its success status', async () => {
    const { send } = testService({ dialect });
    const { paths } = (await (await send('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { responses: object }>>;
    };
    const rows = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { responses }]) =>
          `${method} ${path.replace(`${dialect.basePath}/accounts/{account_id}/${dialect.serviceSegment}`, '')} ${Object.keys(responses)[0]}`,
      ),
    );
    expect(rows.toSorted()).toEqual([
      'delete /api-tokens/{token_id} 200',
      'delete /namespaces/{namespace} 204',
      'delete /namespaces/{namespace}/repos/{repo_name} 202',
      'delete /namespaces/{namespace}/repos/{repo_name}/refs/{ref_name} 200',
      'delete /namespaces/{namespace}/repos/{repo_name}/webhooks/{webhook_id} 204',
      'delete /namespaces/{namespace}/tokens/{token_id} 200',
      'delete /namespaces/{namespace}/webhooks/{webhook_id} 204',
      'get /api-tokens 200',
      'get /cdn-cgi/error/{code} 400',
      'get /namespaces 200',
      'get /namespaces/{namespace} 200',
      'get /namespaces/{namespace}/repos 200',
      'get /namespaces/{namespace}/repos/{repo_name} 200',
      'get /namespaces/{namespace}/repos/{repo_name}/archive/{archive} 200',
      'get /namespaces/{namespace}/repos/{repo_name}/blob/{hash} 200',
      'get /namespaces/{namespace}/repos/{repo_name}/commit/{hash} 200',
      'get /namespaces/{namespace}/repos/{repo_name}/compare 200',
      'get /namespaces/{namespace}/repos/{repo_name}/file 200',
      'get /namespaces/{namespace}/repos/{repo_name}/log 200',
      'get /namespaces/{namespace}/repos/{repo_name}/raw/{ref}/{path} 200',
      'get /namespaces/{namespace}/repos/{repo_name}/refs 200',
      'get /namespaces/{namespace}/repos/{repo_name}/refs/{ref_name} 200',
      'get /namespaces/{namespace}/repos/{repo_name}/search 200',
      'get /namespaces/{namespace}/repos/{repo_name}/tokens 200',
      'get /namespaces/{namespace}/repos/{repo_name}/tree 200',
      'get /namespaces/{namespace}/repos/{repo_name}/tree/{hash} 200',
      'get /namespaces/{namespace}/repos/{repo_name}/webhooks 200',
      'get /namespaces/{namespace}/repos/{repo_name}/webhooks/{webhook_id} 200',
      'get /namespaces/{namespace}/webhooks 200',
      'get /namespaces/{namespace}/webhooks/{webhook_id} 200',
      'patch /namespaces/{namespace}/repos/{repo_name} 200',
      'patch /namespaces/{namespace}/repos/{repo_name}/webhooks/{webhook_id} 200',
      'patch /namespaces/{namespace}/webhooks/{webhook_id} 200',
      'post /api-tokens 201',
      'post /namespaces 201',
      'post /namespaces/{namespace}/repos 201',
      'post /namespaces/{namespace}/repos/{repo_name}/blobs 201',
      'post /namespaces/{namespace}/repos/{repo_name}/cherry-picks 201',
      'post /namespaces/{namespace}/repos/{repo_name}/commits 201',
      'post /namespaces/{namespace}/repos/{repo_name}/files 200',
      'post /namespaces/{namespace}/repos/{repo_name}/fork 201',
      'post /namespaces/{namespace}/repos/{repo_name}/import 201',
      'post /namespaces/{namespace}/repos/{repo_name}/merges 200',
      'post /namespaces/{namespace}/repos/{repo_name}/refs 200',
      'post /namespaces/{namespace}/repos/{repo_name}/reverts 201',
      'post /namespaces/{namespace}/repos/{repo_name}/webhooks 201',
      'post /namespaces/{namespace}/repos/{repo_name}/webhooks/{webhook_id}/ping 200',
      'post /namespaces/{namespace}/tokens 201',
      'post /namespaces/{namespace}/webhooks 201',
      'post /namespaces/{namespace}/webhooks/{webhook_id}/ping 200',
      'put /namespaces/{namespace}/repos/{repo_name}/refs/{ref_name} 200',
    ]);
  });
});
