import { describe, expect, it } from 'vitest';
import { findTarget, type WantedTarget } from './find-target.ts';

type Answer = (request: Request, path: string, admitted: boolean) => Response | undefined;

const token = 'token-of-the-probe';
const envelope = (status: number, result: unknown, code?: number): Response =>
  Response.json({ result, success: status < 400, errors: code === undefined ? [] : [{ code }] }, { status });

/** Looks at a service that answers so; what it does not answer is unknown. */
async function found(answer: Answer, more: Partial<WantedTarget> = {}) {
  const requests: string[] = [];
  const result = await findTarget({
    name: 'fake',
    origin: 'http://fake.test',
    account: 'local',
    apiToken: token,
    ...more,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      requests.push(`${request.method} ${path}`);
      const admitted = request.headers.get('authorization') === `Bearer ${token}`;
      return answer(request, path, admitted) ?? new Response('Not Found', { status: 404 });
    },
  });
  const areas = 'areas' in result ? result.areas.filter((area) => area.found).map(({ area }) => area) : [];
  const missing = result.kind === 'target' ? [...(result.target.missing ?? [])] : [];
  return { result, areas, missing, requests };
}

const rest = /^\/v4\/accounts\/local\/repos\/namespaces\/([^/]+)\/repos(?:\/([^/]+))?$/;
const made = { remote: 'http://fake.test/git/x.git', token: 'token-of-a-repo' };

/** A control plane that creates and gets repos, and has nothing else. */
const createAndGet: Answer = (request, path, admitted) => {
  const [, , name] = rest.exec(path) ?? [];
  const isKnown = rest.test(path) && request.method === (name === undefined ? 'POST' : 'GET');
  if (!isKnown) return undefined;
  if (!admitted) return envelope(401, null, 10000);
  if (name === undefined) return envelope(201, made);
  return name.endsWith('none') ? envelope(404, null, 10200) : envelope(200, made);
};

describe('findTarget', () => {
  it('finds a control plane that only creates and gets, with the evidence for what is missing', async () => {
    const { result, areas, missing } = await found(createAndGet);
    expect(areas).toEqual(['rest']);
    expect(result).toMatchObject({ target: { dialect: 'neutral', areas: ['rest'] } });
    const operations = missing.map(([operation]) => operation);
    expect(operations).toContain('GET /namespaces');
    expect(operations).toContain('DELETE /namespaces/{}/repos/{}');
    expect(operations).toContain('git');
    expect(operations).not.toContain('POST /namespaces/{}/repos');
    expect(operations).not.toContain('GET /namespaces/{}/repos/{}');
    expect(missing[0]?.[1]).toMatch(/^\w+ \/v4\/accounts\/local\/repos\/\S+ was answered 404$/);
  });

  it('waits for the rate before it takes Git for missing', async () => {
    let refused = 1;
    const { requests, missing } = await found((request, path, admitted) =>
      request.method === 'POST' && admitted && refused-- > 0
        ? new Response(null, { status: 429, headers: { 'retry-after': '0' } })
        : createAndGet(request, path, admitted),
    );
    expect(requests).toContain('GET /git/x.git/info/refs');
    expect(missing.map(([operation]) => operation)).toContain('git');
  });

  it('finds the dialect by the path that answers', async () => {
    const { result } = await found((request, path, admitted) =>
      createAndGet(
        request,
        path.replace('/client/v4/', '/v4/').replace('/artifacts/', '/repos/'),
        admitted && path.startsWith('/client'),
      ),
    );
    expect(result).toMatchObject({ kind: 'not admitted' });
    const other = await found((request, path, admitted) =>
      path.startsWith('/client/v4/')
        ? createAndGet(request, path.slice('/client'.length).replace('/artifacts/', '/repos/'), admitted)
        : undefined,
    );
    expect(other.result).toMatchObject({ target: { dialect: 'cloudflare' } });
  });

  it('finds operations of a service that checks credentials before routes', async () => {
    const { missing } = await found((request, path, admitted) =>
      admitted ? createAndGet(request, path, admitted) : new Response(null, { status: 401 }),
    );
    const operations = missing.map(([operation]) => operation);
    expect(operations).toContain('GET /namespaces');
    expect(operations).not.toContain('GET /namespaces/{}/repos/{}');
  });

  it.each([200, 429])('finds tags alone, which answer %i', async (status) => {
    const { areas, result } = await found((_, path, admitted) => {
      if (path !== '/v4/accounts/local/tags/keys') return undefined;
      return admitted ? envelope(status, []) : envelope(401, null, 10000);
    });
    expect(areas).toEqual(['tags']);
    expect(result).toMatchObject({ kind: 'target', target: { areas: ['tags'] } });
  });

  it('finds nothing where everything is answered alike', async () => {
    for (const status of [200, 404, 500]) {
      const { result } = await found(() => new Response('hello', { status }));
      expect(result).toMatchObject({ kind: 'stranger' });
    }
  });

  it('creates nothing in a run that only reads', async () => {
    const { areas, requests } = await found(createAndGet, { readOnly: true });
    expect(areas).toEqual(['rest']);
    expect(requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
  });

  const breakOff = (): never => {
    throw new TypeError('fetch failed');
  };
  it.each<[string, () => Response, string]>([
    ['breaks off', breakOff, 'nothing'],
    ['creates a repo of another form', () => envelope(201, {}), 'target'],
  ])('leaves no repo behind on a service that %s', async (_what, answer, kind) => {
    const { result, requests } = await found((request, path, admitted) => {
      if (request.method === 'DELETE') return new Response(null, { status: 204 });
      const isSearch = path.endsWith('/search');
      return kind === 'nothing' && !isSearch ? createAndGet(request, path, admitted) : answer();
    });
    expect(result.kind).toBe(kind);
    expect(requests.filter((line) => /^DELETE .*-probe$/.test(line))).toHaveLength(2);
  });

  it('does not wait for the end of an endless reply', async () => {
    const endless = (): Response =>
      new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536).fill(120)) }));
    expect((await found(endless)).result).toMatchObject({ kind: 'stranger' });
  });
});

describe('findTarget of a Git server', () => {
  const advertised = (lines: string): Response =>
    new Response(lines, { headers: { 'content-type': 'application/x-git-upload-pack-advertisement' } });
  const git = { url: 'http://fake.test/one.git' };
  const alone: Partial<WantedTarget> = { areas: ['git'], git, account: '', apiToken: '' };

  it('takes an empty repository, and none with refs', async () => {
    const empty = await found(() => advertised(`00000032${'0'.repeat(40)} capabilities^{}\0x`), alone);
    expect(empty.result).toMatchObject({ kind: 'target', target: { areas: ['git'] } });
    const used = `003f${'1'.repeat(40)} refs/heads/main\n`;
    expect((await found(() => advertised(used), alone)).result).toMatchObject({ kind: 'not empty' });
    expect((await found(() => advertised(used), { ...alone, readOnly: true })).result).toMatchObject({
      kind: 'target',
    });
  });

  it('sends the credential of the server', async () => {
    const guarded: Answer = (request) =>
      request.headers.get('authorization') === 'Basic Z2l0OnB3'
        ? advertised('0000')
        : new Response(null, { status: 401 });
    const admitted = { ...alone, git: { ...git, authorization: 'Basic Z2l0OnB3' } };
    expect((await found(guarded, admitted)).result).toMatchObject({ kind: 'target' });
    expect((await found(guarded, alone)).result).toMatchObject({ kind: 'not admitted', status: 401 });
  });

  it('takes no page for a repository', async () => {
    const page = (): Response => new Response('<h1>hello</h1>', { headers: { 'content-type': 'text/html' } });
    expect((await found(page, alone)).result).toMatchObject({ kind: 'stranger' });
  });
});
