import { packhouse, type Packhouse } from '@packhouse/router';
import { memoryStorage } from '@packhouse/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, PackhouseError, type Client, type ClientOptions } from '../src/index.ts';

/** Collects the items of a list. */
async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const refused = async (call: Promise<unknown>): Promise<PackhouseError> =>
  await call.then(
    () => expect.fail('expected a refusal'),
    (error: unknown) => (error instanceof PackhouseError ? error : expect.fail(String(error))),
  );

const etagOfNone = '"v1:RBNvo1WzZ4oRRq0W9-hkng"';

describe('the client, with a service in memory', () => {
  let service: Packhouse;
  let client: Client;
  beforeEach(() => {
    service = packhouse({
      storage: memoryStorage(),
      settings: { zones: { repos: 'local' } },
      authorize: async (token) =>
        token === 'secret'
          ? [
              { account: 'local', permission: 'Repos Edit' },
              { account: 'local', permission: 'Tag Write' },
            ]
          : undefined,
    });
    client = createClient({
      url: 'http://127.0.0.1:8787/',
      token: async () => 'secret',
      account: 'local',
      fetch: service.fetch,
    });
  });
  afterEach(async () => await service.close());

  it('creates, lists over pages, reads and deletes', async () => {
    const repos = client.repos('default');
    for (const name of ['a', 'b', 'c', 'd', 'e']) await repos.create({ name });
    const listed = await all(repos.list({ limit: 2, sort: 'name', direction: 'asc' }));
    expect(listed.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
    const repo = client.repo('default', 'a');
    expect((await repo.update({ description: 'first' })).description).toBe('first');
    expect((await repo.fork({ name: 'f' })).objects).toBe(0);
    const { id } = await repo.createToken({ scope: 'read' });
    expect((await all(repo.listTokens({ per_page: 1 }))).map((token) => token.id)).toContain(id);
    await repo.revokeToken(id);
    expect([await all(repo.listRefs()), await all(repo.log())]).toEqual([[], []]);
    await repo.delete();
    expect((await all(client.namespaces.list())).map(({ namespace }) => namespace)).toEqual(['default']);
  });

  it('commits, and reads what it committed', async () => {
    await client.repos('default').create({ name: 'a' });
    const repo = client.repo('default', 'a');
    const author = { name: 'Ada', email: 'ada@example.com' };
    const change = (path: string) => ({ op: 'put', path, content: `# ${path}\n` }) as const;
    const first = await repo.commit({ branch: 'main', message: 'First', author, changes: [change('a.md')] });
    const wanted = { branch: 'next', message: 'Next', author, changes: [change('b/c.md')], expected_head: null };
    const next = await repo.commit(wanted);
    expect((await all(repo.listRefs())).map(({ hash }) => hash)).toEqual([first.commit, next.commit]);
    expect((await all(repo.listTree({ ref: 'next', recursive: true, limit: 1 }))).map(({ path }) => path)).toEqual([
      'a.md',
      'b',
      'b/c.md',
    ]);
    const { files } = await repo.readFiles({ ref: 'next', paths: ['b/c.md'] });
    expect(files.map(({ content }) => content)).toEqual(['# b/c.md\n']);
    const compared = await repo.compare({ base: 'main', head: 'next' });
    expect([compared.ahead, compared.files.map(({ path }) => path)]).toEqual([1, ['b/c.md']]);
    expect((await all(repo.log({ ref: 'next', limit: 1 }))).map(({ hash }) => hash)).toEqual([
      next.commit,
      first.commit,
    ]);
    const pages = await all(repo.search({ q: '.md', ref: 'next', limit: 1 }));
    expect(pages.flatMap(({ matches }) => matches.map(({ path }) => path))).toEqual(['a.md', 'b/c.md']);
    await repo.fork({ name: 'f', default_branch_only: false });
    expect(await repo.compare({ base: 'main', head: 'f:next' })).toEqual(compared);
    expect(await (await repo.patch({ base: 'main', head: 'f:next' })).text()).toContain('+++ b/b/c.md\n');
    expect((await repo.readCommit(next.commit, { include: 'changes' })).changes?.files).toEqual(compared.files);
    const raw = await repo.raw('refs/heads/next', 'b/c.md');
    expect([raw.headers.get('content-type'), await raw.text()]).toEqual(['text/plain; charset=utf-8', '# b/c.md\n']);
    const error = await refused(repo.commit(wanted));
    expect([error.reason, error.details]).toEqual(['stale_ref', { head: next.commit }]);
  });

  it('sets, lists and deletes tags', async () => {
    const resource = { resource_type: 'worker', resource_id: 'w' };
    const { etag } = await client.tags.set(resource, { env: 'prod,eu' });
    expect((await client.tags.get(resource)).tags).toEqual({ env: 'prod,eu' });
    const found = async (filter: string) => (await all(client.tags.resources({ tag: [filter, '!old'] }))).length;
    expect([await found('env=prod\\,eu'), await found('env=prod,eu')]).toEqual([1, 0]);
    expect([await all(client.tags.keys()), await all(client.tags.values('env'))]).toEqual([['env'], ['prod,eu']]);
    const { data } = await client.rest.GET('/tags/summary');
    expect(data?.result).toEqual([{ key: 'env', values: ['prod,eu'] }]);

    const record = { resource_type: 'dns_record', resource_id: 'w' };
    // A zone whose address looks like that of the account's tags.
    await client.zoneTags('repos').set(record, { env: 'dev' }, { ifMatch: etagOfNone });
    expect((await client.zoneTags('repos').get(record)).zone_id).toBe('repos');
    const stale = { ifMatch: `"${etag}"` };
    expect((await refused(client.zoneTags('repos').delete(record, stale))).reason).toBe('etag_mismatch');
    await client.zoneTags('repos').delete(record);
    await client.tags.delete(resource, stale);
    expect(await all(client.tags.keys())).toEqual([]);
  });

  it('TAG-077: reads every page of tags', async () => {
    const ids = Array.from({ length: 205 }, (_, index) => `q${String(index).padStart(3, '0')}`);
    for (const id of ids) await client.tags.set({ resource_type: 'queue', resource_id: id }, { [id]: '', all: id });
    expect((await all(client.tags.resources({ type: ['queue'] }))).map(({ id }) => id)).toEqual(ids);
    expect(await all(client.tags.keys())).toEqual(['all', ...ids]);
    expect(await all(client.tags.values('all'))).toEqual(ids);
  });

  it('throws the error of the service with its members', async () => {
    const error = await refused(client.repo('default', 'none').info());
    expect(error).toMatchObject({
      message: 'Repository not found',
      status: 404,
      code: 10200,
      reason: 'repo_not_found',
      retryable: false,
      hint: expect.stringMatching(/\.$/),
      requestId: expect.stringMatching(/^[0-9a-f]{16}-/),
      documentationUrl: expect.stringContaining('#10200'),
    });
    const two = await refused(client.repos('default').create({ name: '-', default_branch: '..' }));
    expect(two.errors.map(({ source }) => source?.pointer)).toEqual(['/name', '/default_branch']);
    expect(two.message).toMatch(/^name: Invalid repo name/);
  });

  it('refuses a name that has another meaning in a URL', async () => {
    await expect(client.repo('default', '..').info()).rejects.toThrow(RangeError);
    await expect(client.zoneTags('..').get({ resource_type: 'zone', resource_id: 'z' })).rejects.toThrow(RangeError);
  });
});

describe('retries', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const failure = (status: number, item: object, headers = {}): Response =>
    Response.json(
      { result: null, success: false, errors: [{ code: 1, message: 'no', ...item }], messages: [] },
      { status, headers },
    );
  const done = (): Response => Response.json({ result: { name: 'r' }, success: true, errors: [], messages: [] });

  /** Makes a client whose attempts get these replies, one after the other. */
  function answered(replies: readonly (() => Response | Promise<never>)[], options: Partial<ClientOptions> = {}) {
    const bodies: string[] = [];
    const client = createClient({
      url: 'https://git.example',
      token: 't',
      account: 'a',
      ...options,
      fetch: async (request) => {
        bodies.push(await request.text());
        return await (replies[bodies.length - 1] ?? done)();
      },
    });
    return { client, bodies };
  }

  const lost = (): Promise<never> => Promise.reject(new TypeError('lost'));
  const busy = (): Response => failure(503, { retryable: true }, { 'retry-after': '2' });

  it('sends any request again after a retryable reply, with its body, after Retry-After', async () => {
    const { client, bodies } = answered([busy, busy]);
    const made = client.repos('n').create({ name: 'r' });
    await vi.advanceTimersByTimeAsync(1999);
    expect(bodies).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await made).toEqual({ name: 'r' });
    expect(bodies).toEqual(Array.from({ length: 3 }, () => '{"name":"r"}'));
  });

  it.each([
    ['a read', 2, (client: Client) => client.repo('n', 'r').info()],
    ['a change without a key', 1, (client: Client) => client.repos('n').create({ name: 'r' })],
  ])('after a lost reply, sends %s %i times', async (_, times, call) => {
    const { client, bodies } = answered([lost]);
    const outcome = call(client).then(
      () => 'done',
      (error: Error) => error.message,
    );
    await vi.advanceTimersByTimeAsync(10_000);
    expect([await outcome, bodies.length]).toEqual([times === 2 ? 'done' : 'lost', times]);
  });

  it('reads again after a reply without its end', async () => {
    const torn = (): Response => {
      const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('torn')) });
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    };
    const { client, bodies } = answered([torn]);
    const outcome = client.repo('n', 'r').info();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([await outcome, bodies.length]).toEqual([{ name: 'r' }, 2]);
  });

  it('tells the caller of each retry, who may give up', async () => {
    const reasons: unknown[] = [];
    const onRetry = (reason: unknown, pause: number): void => {
      reasons.push(reason, pause >= 2000);
      if (reasons.length > 2) throw new Error('enough');
    };
    const { client } = answered([busy, busy], { onRetry });
    const outcome = client
      .repo('n', 'r')
      .info()
      .catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await outcome).toBe('enough');
    expect(reasons).toEqual([expect.any(PackhouseError), true, expect.any(PackhouseError), true]);
  });

  it.each([
    ['a refusal', () => failure(404, { retryable: false })],
    ['a pause of over a minute', () => failure(429, { retryable: true }, { 'retry-after': '61' })],
    ['an internal error', () => failure(500, { retryable: false })],
  ])('gives up after %s', async (_, reply) => {
    const { client, bodies } = answered([reply]);
    await refused(client.repo('n', 'r').info());
    expect(bodies).toHaveLength(1);
  });

  it('gives up after as many attempts as it may make', async () => {
    const { client, bodies } = answered([busy, busy, busy], { attempts: 3 });
    const outcome = refused(client.repo('n', 'r').info());
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await outcome).retryAfter).toBe(2);
    expect(bodies).toHaveLength(3);
  });

  it('ends a pause when the caller aborts', async () => {
    const { client, bodies } = answered([busy]);
    const caller = new AbortController();
    const outcome = client
      .repo('n', 'r')
      .info({ signal: caller.signal })
      .catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(100);
    caller.abort(new Error('enough'));
    expect([await outcome, bodies.length]).toEqual(['enough', 1]);
  });

  it('says so if the reply is not of the service', async () => {
    const page = (status: number) => (): Response =>
      new Response('<html>', { status, headers: { 'content-type': 'text/html' } });
    const other = (): Response => Response.json({ hello: 'you' });
    const torn = (): Response => new Response('{"success":', { headers: { 'content-type': 'application/json' } });
    const nothing = (): Response => new Response(null, { status: 204 });
    const results = [page(404), page(200), other, torn];
    const calls: readonly [(client: Client) => Promise<unknown>, readonly (() => Response)[]][] = [
      [(client) => client.repo('n', 'r').info(), [...results, nothing]],
      [(client) => client.namespaces.delete('n'), results],
      [(client) => client.tags.delete({ resource_type: 'worker', resource_id: 'w' }), results],
      [(client) => client.repo('n', 'r').archive('main.tar'), [page(404), page(200), nothing]],
    ];
    for (const [call, replies] of calls) {
      for (const reply of replies) {
        const error = await refused(call(answered([reply]).client));
        expect(error).toMatchObject({ status: reply().status, errors: [] });
      }
    }
  });

  it('leaves out a source that names no member', async () => {
    const { client } = answered([() => failure(400, { source: { parameter: 'limit' } })]);
    const [item] = (await refused(client.repo('n', 'r').info())).errors;
    expect(item).toEqual({ code: 1, message: 'no' });
  });

  it('ends a list whose cursors come again', async () => {
    const page = (cursor: string) => (): Response =>
      Response.json({ result: [cursor], success: true, errors: [], messages: [], result_info: { cursor } });
    const { client } = answered(['a', 'b', 'a', 'c'].map(page));
    expect(await all(client.tags.keys())).toEqual(['a', 'b', 'a']);
  });

  it('sends a request again in Firefox, whose requests have no `body`', async () => {
    vi.stubGlobal(
      'Request',
      class extends Request {
        override readonly body = undefined as unknown as null;
      },
    );
    try {
      const { client, bodies } = answered([busy]);
      const outcome = client.repo('n', 'r').info();
      await vi.advanceTimersByTimeAsync(10_000);
      expect([await outcome, bodies.length]).toEqual([{ name: 'r' }, 2]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('sends no body as a stream that was a text: browsers send those over HTTP/2 alone', async () => {
    const sent: unknown[] = [];
    vi.stubGlobal(
      'Request',
      class extends Request {
        constructor(url: string | URL | Request, init?: RequestInit) {
          super(url, init);
          sent.push(String(url), typeof init?.body);
        }
      },
    );
    try {
      const { client } = answered([]);
      await client.tags.set({ resource_type: 'worker', resource_id: 'w' }, {});
    } finally {
      vi.unstubAllGlobals();
    }
    expect(sent).toEqual(['https://git.example/v4/accounts/a/tags', 'string']);
  });
});
