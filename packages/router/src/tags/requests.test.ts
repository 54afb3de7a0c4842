import { cloudflare, neutral, type Dialect } from '@packhouse/hosting';
import { taggingErrors } from '@packhouse/tagging';
import { describe, expect, it, vi } from 'vitest';
import { failed, testTags, type AskOptions } from './test-tags.test.util.ts';

const worker = { resource_type: 'worker', resource_id: 'w1' };
const record = { resource_type: 'dns_record', resource_id: 'd1' };
const listRoutes = ['/tags/resources', '/tags/keys', '/tags/values/team', '/tags/summary'];

/** Matches the documentation link of an error of tagging, if the dialect has such links (TAG-024). */
function linkOf({ linksTagErrors }: Dialect, code: number): unknown {
  return linksTagErrors ? expect.stringMatching(new RegExp(`/tags/errors#${code}$`)) : undefined;
}

describe.each([neutral, cloudflare])('the tagging API, $name', (dialect) => {
  it('TAG-001, TAG-002, TAG-003, TAG-021: gets, sets and deletes the tags of a resource of the account', async () => {
    const { ask } = testTags({ dialect });
    const set = await ask('PUT', '/tags', {
      body: { ...worker, tags: { team: 'platform', environment: 'production' } },
    });
    expect([set.status, set.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(set.text).toBe(
      '{"result":{"id":"w1","type":"worker","name":"w1","tags":{"environment":"production","team":"platform"},"etag":"v1:TQa2wNntoLzkR3dLOCiIug","tags_updated_at":"2026-11-20T09:15:02.114Z"},"success":true,"errors":[],"messages":[]}',
    );
    const got = await ask('GET', '/tags?resource_type=worker&resource_id=w1', { token: 'tag-read' });
    expect([got.status, got.text]).toEqual([200, set.text]);
    const deleted = await ask('DELETE', '/tags', { body: worker });
    expect([deleted.status, deleted.text, deleted.headers.get('content-type')]).toEqual([204, '', null]);
    expect((await ask('GET', '/tags?resource_type=worker&resource_id=w1')).status).toBe(500);
  });

  it('TAG-004, TAG-005, TAG-006: gets, sets and deletes the tags of a resource of a zone', async () => {
    const { ask } = testTags({ dialect });
    const set = await ask('PUT', '/zones/z1/tags', { body: { ...record, tags: { owner: 'dns-team' } } });
    expect(set.json.result).toMatchObject({ id: 'd1', type: 'dns_record', tags: { owner: 'dns-team' }, zone_id: 'z1' });
    const got = await ask('GET', '/zones/z1/tags?resource_type=dns_record&resource_id=d1');
    expect([got.status, got.text]).toEqual([200, set.text]);
    expect((await ask('DELETE', '/zones/z1/tags', { body: record })).status).toBe(204);
  });

  it('TAG-007 to TAG-010, TAG-076: lists with result_info, and returns an empty list if nothing matches', async () => {
    const { ask } = testTags({ dialect });
    for (const route of listRoutes) {
      const { status, text } = await ask('GET', route);
      expect([status, text]).toEqual([
        200,
        '{"result":[],"success":true,"errors":[],"messages":[],"result_info":{"count":0,"cursor":null,"cursors":{"after":null}}}',
      ]);
    }
    await ask('PUT', '/tags', { body: { ...worker, tags: { team: 'platform' } } });
    const results = await Promise.all(
      ['/tags/resources?tag=team', '/tags/keys', '/tags/values/team?type=worker', '/tags/summary'].map(
        async (route) => (await ask('GET', route)).json.result,
      ),
    );
    expect(results).toEqual([
      [expect.objectContaining({ id: 'w1' })],
      ['team'],
      ['platform'],
      [{ key: 'team', values: ['platform'] }],
    ]);
  });

  it('TAG-011, TAG-015: another method is 405 with Allow, before any credential check', async () => {
    const { ask } = testTags({ dialect });
    for (const [path, allow] of [
      ['/tags', 'GET, HEAD, PUT, DELETE'],
      ['/zones/z1/tags', 'GET, HEAD, PUT, DELETE'],
      ...[...listRoutes, '/tags/values', '/tags/values/%'].map((route) => [route, 'GET, HEAD'] as const),
    ] as const) {
      for (const method of ['PATCH', 'POST', 'OPTIONS', ...(allow === 'GET, HEAD' ? ['PUT', 'DELETE'] : [])]) {
        const reply = await ask(method, path, { token: null });
        expect([path, reply.headers.get('allow')]).toEqual([path, allow]);
        expect(failed(reply)).toEqual([405, 7001, 'Method not available for the URI']);
      }
    }
  });

  it('TAG-011: HEAD gets the reply of GET without its body', async () => {
    const { ask } = testTags({ dialect });
    for (const route of ['/tags?resource_type=worker&resource_id=w1', '/tags/resources?tag=%FF', ...listRoutes]) {
      const [get, head] = [await ask('GET', route), await ask('HEAD', route, { token: 'tag-read' })];
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
      expect([...head.headers.keys()]).toEqual([...get.headers.keys()]);
    }
  });

  it('TAG-012: any other path is 404 in the envelope, also with another method and without a credential', async () => {
    const { ask, send } = testTags({ dialect });
    for (const path of [
      '/tags/',
      '/tags/keys/',
      '/tags/keys/more',
      '/tags/values/a/',
      '/tags/tag',
      '/tags/values//',
      '/zones/z1/tags/',
      '/zones/z1/tags/keys',
      '/zones/z1',
      '/zones/z1/dns_records',
      '/zones/',
      '/zones/z.1/tags',
    ]) {
      for (const method of ['GET', 'PUT', 'PATCH']) {
        const reply = await ask(method, path, { token: null });
        expect([path, ...failed(reply)]).toEqual([path, 404, 7003, 'No route for the URI']);
        // The reply comes from tagging (TAG-014), not from another area.
        expect(reply.headers.get('cache-control')).toBe('no-store');
        expect(reply.json.errors[0]?.documentation_url).toEqual(linkOf(dialect, 7003));
      }
    }
    const reply = await send(`${dialect.basePath}/accounts/a.1/tags`);
    expect([reply.status, (await reply.json()).errors[0].code]).toEqual([404, 7003]);
  });

  it('TAG-012, TAG-158: the values route without its key is 1009', async () => {
    const { ask } = testTags({ dialect });
    for (const path of ['/tags/values', '/tags/values/', '/tags/values?type=worker']) {
      expect(failed(await ask('GET', path))).toEqual([400, 1009, 'tag_key is required']);
    }
  });

  it('TAG-013: writes ignore the query, and all requests ignore unknown parameters and members', async () => {
    const { ask } = testTags({ dialect });
    const body = { ...worker, tags: { a: '1' }, Tags: 1, more: null };
    expect((await ask('PUT', '/tags?resource_type=x&cursor=%FF', { body })).status).toBe(200);
    expect((await ask('GET', '/tags?resource_type=worker&resource_id=w1&more=%FF&Cursor=x')).status).toBe(200);
    expect(failed(await ask('GET', '/tags?Resource_type=worker&resource_id=w1'))[1]).toBe(1003);
    expect((await ask('DELETE', '/tags?resource_id=%', { body })).status).toBe(204);
  });

  it('TAG-014, TAG-038, REPO-007: every reply forbids caching, has no ETag header, and has a fresh request id', async () => {
    const { ask, faults } = testTags({ dialect, settings: { rate_tags: { requests: 6, seconds: 10 } } });
    const replies = [
      await ask('PUT', '/tags', { body: { ...worker, tags: {} } }),
      await ask('GET', '/tags/keys'),
      await ask('DELETE', '/tags', { body: worker }),
      await ask('PUT', '/tags', { headers: { 'content-type': 'text/plain' }, body: 'x' }),
      await ask('GET', '/tags/none'),
      await ask('PATCH', '/tags'),
      await ask('GET', '/tags', { token: null }),
      await ask('GET', '/tags', { token: 'nothing' }),
      await ask('HEAD', '/tags'),
    ];
    faults.set('keys', new Error('gone'));
    replies.push(await ask('GET', '/tags/keys'), await ask('GET', '/tags/keys'));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 204, 415, 404, 405, 401, 403, 400, 500, 429]);
    for (const { headers } of replies) {
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
      expect(headers.get(dialect.requestIdHeader)).toMatch(/^[0-9a-f]{16}-LOC$/);
    }
    expect(new Set(replies.map(({ headers }) => headers.get(dialect.requestIdHeader))).size).toBe(replies.length);
  });

  it('TAG-016: no credential, an unknown one, another scheme and a repo token are 401', async () => {
    const { ask, call } = testTags({ dialect });
    const { token } = (await call('POST', '/namespaces/nn/repos', { name: 'r' })).json.result;
    for (const headers of [
      {},
      ...['Bearer ', 'Bearer x', 'Basic eDp4', `Bearer ${token}`].map((authorization) => ({ authorization })),
    ]) {
      const reply = await ask('GET', '/tags/keys', { token: null, headers });
      expect(failed(reply)).toEqual([401, 10000, 'Authentication error']);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('TAG-017, TAG-018, TAG-019: checks permissions of an account and of a zone, and refuses all else with one reply', async () => {
    const { ask } = testTags({ dialect });
    const get = (path: string, token: string) => ask('GET', path, { token });
    for (const token of ['tag-read', 'tag-list', 'tag-write'])
      expect((await get('/tags/keys', token)).status).toBe(200);
    const one = '?resource_type=dns_record&resource_id=d1';
    const write: AskOptions = { body: { ...record, tags: {} } };
    expect((await ask('PUT', '/zones/z1/tags', { ...write, token: 'tag-zone-write' })).status).toBe(200);
    for (const token of ['tag-read', 'tag-zone-read', 'tag-zone-write']) {
      expect((await get(`/zones/z1/tags${one}`, token)).status).toBe(200);
    }
    for (const reply of [
      await ask('PUT', '/tags', { body: { ...worker, tags: {} }, token: 'tag-read' }),
      await ask('PUT', '/zones/z1/tags', { ...write, token: 'tag-zone-read' }),
      await get('/tags/keys', 'tag-zone-write'),
      await get('/tags/keys', 'read-a1'),
      await get('/tags/keys', 'nothing'),
      await get(`/zones/z2/tags${one}`, 'tag-write'),
      await get(`/zones/z2/tags${one}`, 'tag-zone-write'),
      await get(`/zones/none/tags${one}`, 'tag-write'),
    ]) {
      expect(failed(reply)).toEqual([403, 10000, 'Insufficient permission']);
    }
    const { send } = testTags({ dialect });
    for (const account of ['a2', 'none']) {
      const reply = await send(`${dialect.basePath}/accounts/${account}/tags/keys`, {
        headers: { authorization: 'Bearer tag-write' },
      });
      expect([reply.status, (await reply.json()).errors[0].code]).toEqual([403, 10000]);
    }
  });

  it('TAG-022 to TAG-026: a failure is one item with pointer and documentation, and a message with details', async () => {
    const { ask } = testTags({ dialect, settings: { docs_base: 'https://docs.test/kit' } });
    const { text, status, headers } = await ask('GET', '/tags/resources?tag=env&tag=team=x,', {
      headers: { accept: 'text/html' },
    });
    expect([status, headers.get('content-type')]).toEqual([400, 'application/json']);
    const link = dialect.linksTagErrors ? '"documentation_url":"https://docs.test/kit/tags/errors#1007",' : '';
    expect(text).toBe(
      `{"result":null,"success":false,"errors":[{"code":1007,"message":"tag parameter must be in format...",${link}"source":{"pointer":"/tag"},"reason":"invalid_tag_filter","retryable":false,"hint":"${taggingErrors.filterForm.hint}"}],"messages":[{"code":1007,"message":"filter 2: empty item in the value list"}]}`,
    );
    const { json } = await ask('PUT', '/tags', { body: { ...worker, tags: { 'a/b': 'x' } } });
    expect(json.errors).toEqual([
      {
        code: 1014,
        message: 'Invalid tag key',
        ...(dialect.linksTagErrors && { documentation_url: 'https://docs.test/kit/tags/errors#1014' }),
        source: { pointer: '/tags/a~1b' },
        reason: 'invalid_tag_key',
        retryable: false,
        hint: taggingErrors.invalidKey.hint,
      },
    ]);
    expect(json.messages).toEqual([{ code: 1014, message: expect.stringContaining('a/b') }]);
    expect((await ask('GET', '/tags')).json.messages).toEqual([]);
  });

  it('TAG-055, TAG-056, TAG-057: the setting chooses the reply for a resource without tags, and no mode is an incident', async () => {
    const found = async (mode: '500' | '404' | 'empty'): Promise<readonly unknown[]> => {
      const { ask, log } = testTags({ dialect, settings: { tags_not_found: mode } });
      const { status, headers, json } = await ask('GET', '/tags?resource_type=worker&resource_id=n%20o');
      expect([headers.get('retry-after'), log.map(({ event }) => event)]).toEqual([null, ['request']]);
      return [status, json.errors[0]?.code, json.errors[0]?.message, json.result?.tags];
    };
    const message = 'resource not found: type=worker id=n o';
    expect(await found('500')).toEqual([500, 10200, message, undefined]);
    expect(await found('404')).toEqual([404, 10200, message, undefined]);
    expect(await found('empty')).toEqual([200, undefined, undefined, {}]);
  });

  it('TAG-045 to TAG-049: passes If-Match on unchanged', async () => {
    const { ask } = testTags({ dialect });
    const put = (value: string, etag?: string) =>
      ask('PUT', '/tags', {
        body: { ...worker, tags: { a: value } },
        headers: etag === undefined ? {} : { 'if-match': etag },
      });
    expect(failed(await put('1', '*'))).toEqual([412, 10412, 'etag does not match']);
    const { etag } = (await put('1', 'v1:RBNvo1WzZ4oRRq0W9-hkng')).json.result;
    expect((await put('2', `"x", "${etag}"`)).status).toBe(200);
    expect((await put('3', '')).status).toBe(412);
    expect((await put('3', '"*"')).status).toBe(412);
    expect(failed(await ask('DELETE', '/tags', { body: worker, headers: { 'if-match': `W/"${etag}"` } }))[0]).toBe(412);
    expect((await ask('DELETE', '/tags', { body: worker, headers: { 'if-match': '*' } })).status).toBe(204);
  });

  it('TAG-144, REPO-043: counts requests per credential, separately from REST, and sends Retry-After', async () => {
    const { ask, call, pass } = testTags({
      dialect,
      settings: { rate_tags: { requests: 2, seconds: 10 }, rate_rest: { requests: 1, seconds: 10 } },
    });
    expect((await ask('GET', '/tags/keys')).status).toBe(200);
    pass(7.5);
    expect((await ask('PUT', '/zones/z1/tags', { body: {} })).status).toBe(400);
    const refused = await ask('GET', '/tags/keys');
    expect(failed(refused)).toEqual([429, 10429, 'Rate limit exceeded']);
    expect(refused.headers.get('retry-after')).toBe('3');
    expect((await ask('GET', '/tags/keys', { token: 'tag-read' })).status).toBe(200);
    expect((await call('GET', '/namespaces')).status).toBe(200);
    pass(2.5);
    expect((await ask('GET', '/tags/keys')).status).toBe(200);
  });

  it('TAG-147, TAG-148: checks in order, even if all later checks would fail too', async () => {
    const { ask } = testTags({
      dialect,
      settings: { rate_tags: { requests: 4, seconds: 10 }, rest_body_max: 60 },
    });
    const big = 'x'.repeat(61);
    const text = { 'content-type': 'text/plain' };
    const codes = async (method: string, options: AskOptions, path = '/tags') =>
      failed(await ask(method, path, options));
    expect((await codes('PATCH', { body: big, headers: text, token: null }, '/tags/'))[1]).toBe(7003);
    expect((await codes('PATCH', { body: big, headers: text, token: null }))[1]).toBe(7001);
    expect((await codes('PUT', { body: big, headers: text, token: null }))[0]).toBe(401);
    expect((await codes('PUT', { body: big, headers: text, token: 'tag-read' }))[0]).toBe(403);
    expect((await codes('PUT', { body: big, headers: text }))[1]).toBe(10415);
    expect((await codes('DELETE', { body: big, headers: text }))[1]).toBe(10415);
    const json = { 'content-type': 'application/json' };
    expect((await codes('PUT', { body: big, headers: json }))[1]).toBe(10413);
    expect((await codes('PUT', { body: '{', headers: json }))[1]).toBe(1002);
    expect((await codes('PUT', { body: big, headers: text }))[1]).toBe(10429);
    expect((await codes('PUT', { body: big, headers: text, token: 'tag-read' }))[0]).toBe(403);
  });

  it('TAG-175, TAG-064: a body that is not a JSON object is 1002 or 1015', async () => {
    const { send, ask } = testTags({ dialect });
    const bodies = [
      '',
      '{',
      '[]',
      '"x"',
      '1',
      'null',
      '\u0000',
      `${'['.repeat(300_000)}`,
      new Uint8Array([0x22, 0xff, 0x22]),
    ];
    for (const [method, code] of [
      ['PUT', 1002],
      ['DELETE', 1015],
    ] as const) {
      for (const body of bodies) {
        const reply = await send(`${dialect.basePath}/accounts/a1/tags`, {
          method,
          body,
          headers: { authorization: 'Bearer tag-write', 'content-type': 'application/json' },
        });
        expect([reply.status, (await reply.json()).errors[0].code]).toEqual([400, code]);
      }
      expect(failed(await ask(method, '/tags'))[1]).toBe(code);
    }
  });

  it('TAG-175: a body that stalls or breaks off is not JSON', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { send } = testTags({ dialect });
      const start = JSON.stringify({ ...worker, tags: {} });
      const put = (then: (controller: ReadableStreamDefaultController<Uint8Array>) => void): Promise<Response> =>
        send(`${dialect.basePath}/accounts/a1/tags`, {
          method: 'PUT',
          duplex: 'half',
          headers: { authorization: 'Bearer tag-write' },
          body: new ReadableStream<Uint8Array>({
            start(controller) {
              controller.enqueue(new TextEncoder().encode(start));
            },
            pull: then,
          }),
        } as RequestInit);
      const stalled = put(() => new Promise(() => {}) as unknown as void);
      // Hashing the credential takes real time. The timer of the body starts after it.
      while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(200_000);
      const broken = put((controller) => controller.error(new Error('gone')));
      for (const reply of [await stalled, await broken]) {
        expect([reply.status, (await reply.json()).errors[0].code]).toEqual([400, 1002]);
      }
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('TAG-181: an invalid key stays readable in the path', async () => {
    const { ask } = testTags({ dialect });
    for (const key of ['%FF', 'a%2Fb', '%', '%zz', 'a+b', 'a%20b', '%00']) {
      expect([key, ...failed(await ask('GET', `/tags/values/${key}`))]).toEqual([key, 400, 1014, 'Invalid tag key']);
    }
    expect((await ask('GET', '/tags/values/%C3%89quipe')).status).toBe(200);
  });

  it('TAG-183: another media type, another charset and a content coding are 415; no Content-Type is JSON', async () => {
    const { ask } = testTags({ dialect });
    const put = (headers: Record<string, string>) =>
      ask('PUT', '/tags', {
        body: { ...worker, tags: {} },
        headers: { 'content-type': 'application/json', ...headers },
      });
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=iso-8859-1' },
      { 'content-type': 'application/merge-patch+json' },
      { 'content-type': '' },
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'identity, br' },
    ]) {
      expect(failed(await put(headers))).toEqual([415, 10415, 'Unsupported media type']);
    }
    for (const headers of [
      { 'content-type': 'Application/JSON; charset="UTF-8"' },
      { 'content-encoding': 'Identity' },
      {},
    ]) {
      expect((await put(headers)).status).toBe(200);
    }
    const { send } = testTags({ dialect });
    const bare = await send(`${dialect.basePath}/accounts/a1/tags`, {
      method: 'PUT',
      headers: { authorization: 'Bearer tag-write' },
      body: new TextEncoder().encode(JSON.stringify({ ...worker, tags: {} })),
    });
    expect(bare.status).toBe(200);
  });

  it('REPO-041: a body above the limit is 413, by its length or while it arrives', async () => {
    const { send, ask } = testTags({ dialect, settings: { rest_body_max: 100 } });
    const bare = JSON.stringify({ ...worker, tags: {} });
    const headers = { 'content-type': 'application/json' };
    expect((await ask('PUT', '/tags', { body: bare.padEnd(100), headers })).status).toBe(200);
    expect(failed(await ask('PUT', '/tags', { body: bare.padEnd(101), headers }))).toEqual([
      413,
      10413,
      'Request body too large',
    ]);
    let pulled = 0;
    const endless = await send(`${dialect.basePath}/accounts/a1/tags`, {
      method: 'DELETE',
      duplex: 'half',
      headers: { ...headers, authorization: 'Bearer tag-write' },
      body: new ReadableStream<Uint8Array>({
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(30).fill(32));
        },
      }),
    } as RequestInit);
    expect(endless.status).toBe(413);
    expect(pulled).toBeLessThan(8);
  });

  it('TAG-170, REPO-176: a full disk is 507, and the log has its code', async () => {
    const { ask, faults, log } = testTags({ dialect });
    faults.set('set', Object.assign(new Error("ENOSPC: write '/srv/data/x.sqlite'"), { code: 'ENOSPC' }));
    const reply = await ask('PUT', '/tags', { body: { ...worker, tags: {} } });
    expect(failed(reply)).toEqual([507, 10507, 'The disk of the service is full.']);
    expect(log[0]).toMatchObject({ event: 'failure', code: 'ENOSPC' });
  });

  it('REPO-044, REPO-009: an unexpected failure leaks nothing, neither in the reply nor in the log', async () => {
    const { ask, faults, log } = testTags({ dialect });
    const secret = `${dialect.tokenPrefix}${'ab'.repeat(20)}`;
    faults.set('set', Object.assign(new Error(`ENOENT: open '/srv/data/x.sqlite' ${secret}`), { code: 'ENOENT' }));
    const reply = await ask('PUT', '/tags', { body: { ...worker, tags: {} } });
    expect(failed(reply)).toEqual([500, 10400, 'An internal error occurred.']);
    expect(reply.json.errors[0]?.documentation_url).toEqual(linkOf(dialect, 10400));
    expect(reply.text).not.toMatch(/ENOENT|srv/);
    expect(log[0]).toMatchObject({
      event: 'failure',
      error: 'Error',
      code: 'ENOENT',
      request_id: reply.headers.get(dialect.requestIdHeader),
    });
    expect(JSON.stringify(log)).not.toMatch(/srv|(?:ab){12}|at .*\.ts|tag-write/);
  });

  it('REPO-009: logs one line per request, with the account of the path and without the query', async () => {
    const { ask, log } = testTags({ dialect });
    await ask('GET', '/tags/resources?tag=secret=1');
    await ask('GET', '/zones/z1/tags?resource_id=secret');
    const line = { event: 'request', request_id: expect.any(String), method: 'GET', ms: 0 };
    expect(log).toEqual([
      {
        ...line,
        path: `${dialect.basePath}/accounts/a1/tags/resources`,
        operation: 'listTaggedResources',
        status: 200,
        account: 'a1',
      },
      { ...line, path: `${dialect.basePath}/zones/z1/tags`, operation: 'getZoneTags', status: 400, account: null },
    ]);
  });
});
