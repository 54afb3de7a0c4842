import type { Target } from '../core/target.ts';

/** A fake service for tests of the runner: it only stores names and issues tokens. */
export interface FakeService {
  readonly target: Target;
  /** Names of repos by `account/namespace`. */
  readonly namespaces: Map<string, Set<string>>;
  /** `METHOD path` of each request, in order. */
  readonly requests: string[];
  /** Refuses all further connections. */
  die(): void;
  /** Repo tokens that it has issued. */
  readonly minted: string[];
  /** Overrides the reply of the service. */
  intercept: (method: string, path: string) => Response | undefined;
}

export const fakeApiToken = 'api-token-of-the-made-up-service';

export function fakeService(more: Partial<Target> = {}): FakeService {
  const namespaces = new Map<string, Set<string>>();
  const requests: string[] = [];
  const minted: string[] = [];
  let dead = false;

  const answer = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname;
    const { method } = request;
    requests.push(`${method} ${path}`);
    if (dead) throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    const instead = service.intercept(method, path);
    if (instead !== undefined) return instead;
    const [, account = '', rest = ''] = /^\/v4\/accounts\/([^/]+)\/repos(\/.*)$/.exec(path) ?? [];
    if (account === '') return reply(404, null);
    const token = request.headers.get('authorization')?.replace('Bearer ', '');
    if (token === undefined) return reply(401, null);
    const body = (method === 'POST' ? await request.json() : {}) as { namespace?: string; name?: string };
    const [, , namespace, kind, name] = rest.split('/').map(decodeURIComponent);
    if (namespace === undefined) {
      if (method === 'POST') namespaces.set(`${account}/${body.namespace}`, new Set());
      return reply(method === 'POST' ? 201 : 200, method === 'POST' ? body : []);
    }
    const key = `${account}/${namespace}`;
    const repos = namespaces.get(key);
    if (kind === undefined) {
      if (method !== 'DELETE') return reply(repos === undefined ? 404 : 200, {});
      if (repos === undefined) return reply(404, null);
      if (repos.size > 0) return reply(409, null);
      namespaces.delete(key);
      return new Response(null, { status: 204 });
    }
    if (kind === 'tokens') return reply(201, { plaintext: mint() });
    if (name !== undefined) return reply(repos?.delete(name) === true ? 202 : 404, {});
    if (method === 'GET')
      return reply(
        200,
        [...(repos ?? [])].slice(0, 200).map((one) => ({ name: one })),
      );
    namespaces.set(key, (repos ?? new Set()).add(body.name ?? ''));
    const remote = `http://fake.test/git/${account}/${namespace}/${body.name}.git`;
    return reply(201, { id: 'k3v9p0x2m7q4w8zt', remote, token: mint() });
  };
  const mint = (): string => {
    const digits = [...crypto.getRandomValues(new Uint8Array(20))].map((byte) => byte.toString(16).padStart(2, '0'));
    const token = `rht_v1_${digits.join('')}?expires=1800000000`;
    minted.push(token);
    return token;
  };
  const service: FakeService = {
    namespaces,
    requests,
    minted,
    intercept: () => undefined,
    die() {
      dead = true;
    },
    target: {
      name: 'made up',
      origin: 'http://fake.test',
      dialect: 'neutral',
      account: 'local',
      apiToken: fakeApiToken,
      fetch: answer,
      ...more,
    },
  };
  return service;
}

function reply(status: number, result: unknown): Response {
  return Response.json({ result, success: status < 400, errors: [], messages: [] }, { status });
}
