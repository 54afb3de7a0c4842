import { portableCodec } from '@packhouse/git/codec-portable';
import { fc } from '@fast-check/vitest';
import type { Fault, Mock, Seed } from '../../src/index.ts';
import { joined } from '../../src/seed/git-objects.ts';
import { makeHistory } from '../../src/seed/history.ts';
import { packObjects } from '../../src/seed/pack-objects.ts';
import { send, type Reply, type Sent } from './clocked-mock.ts';

/** An action on a mock. */
export type Step =
  | { readonly do: 'request'; readonly method: string; readonly path: string; readonly body?: object }
  | { readonly do: 'mint' | 'revoke' | 'create token' | 'list refs' | 'fetch'; readonly repo: string }
  | { readonly do: 'push'; readonly repo: string; readonly branch: string }
  | { readonly do: 'seed'; readonly seed: Seed }
  | { readonly do: 'fault'; readonly fault: Fault<Seed> }
  | { readonly do: 'clear faults' | 'reset' | 'inspect' }
  | { readonly do: 'wait'; readonly milliseconds: number };

/** The mock under test, with results that later steps use. */
export interface Stage {
  readonly mock: Mock;
  readonly time: { now: number };
  /** Tokens of created repos, the latest last. */
  readonly tokens: { readonly repo: string; readonly secret: string; readonly id: string | undefined }[];
}

const account = '/v4/accounts/local';
const repos = `${account}/repos/namespaces`;
const places: readonly string[] = ['notes', 'other', 'team/api', 'team/forked', 'empty/one'];
const repo = fc.constantFrom(...places);
const pathOf = (key: string): string => {
  const [namespace, name] = key.includes('/') ? key.split('/') : ['default', key];
  return `${repos}/${namespace}/repos/${name}`;
};
const namespaceOf = (key: string): string => pathOf(key).split('/').at(-3) as string;
const nameOf = (key: string): string => key.split('/').at(-1) as string;

const request = (method: string, path: string, body?: object): Step => ({
  do: 'request',
  method,
  path,
  ...(body !== undefined && { body }),
});

const rest: fc.Arbitrary<Step> = fc.oneof(
  repo.map((key) =>
    request('POST', `${repos}/${namespaceOf(key)}/repos`, { name: nameOf(key), description: 'Made', read_only: false }),
  ),
  fc.tuple(fc.constantFrom('GET', 'DELETE'), repo).map(([method, key]) => request(method, pathOf(key))),
  fc
    .tuple(repo, repo)
    .map(([key, to]) => request('POST', `${pathOf(key)}/fork`, { namespace: namespaceOf(to), name: nameOf(to) })),
  repo.map((key) => request('POST', `${pathOf(key)}/import`, { url: 'https://git.example.com/owner/repo' })),
  fc.constantFrom('team', 'empty', 'new').map((namespace) => request('DELETE', `${repos}/${namespace}`)),
  fc.constantFrom('team', 'new').map((namespace) => request('POST', repos, { namespace })),
  fc
    .constantFrom('', '/default/repos', '/team/repos', '/default/repos/notes/log')
    .map((path) => request('GET', `${repos}${path}`)),
);

const tags: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom('PUT', 'DELETE', 'GET'), fc.constantFrom('w1', 'w2'), fc.constantFrom({}, { a: '1' }))
  .map(([method, resource_id, given]) =>
    method === 'GET'
      ? request('GET', `${account}/tags/resources?per_page=1`)
      : request(method, `${account}/tags`, { resource_type: 'worker', resource_id, tags: given }),
  );

const faults: fc.Arbitrary<Step> = fc
  .constantFrom<Fault<Seed>>(
    { kind: 'rate limit', retryAfter: 3, times: 2 },
    { kind: 'dropped connection', lost: 'reply', times: 2 },
    { kind: 'dropped connection', method: 'POST', times: 1 },
    { kind: 'expired token' },
    { kind: 'platform error', code: 522, path: `${repos}*`, times: 2 },
    { kind: 'latency', milliseconds: 1, times: 3 },
    { kind: 'changed page', add: { repos: { other: {} } }, remove: ['notes'] },
    {
      kind: 'changed page',
      add: { namespaces: ['new'], tags: [{ type: 'worker', id: 'w3', tags: { c: '3' } }] },
      times: 2,
    },
  )
  .map((fault) => ({ do: 'fault', fault }));

/** Generates any step for the mock of these tests. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof<fc.WeightedArbitrary<Step>[]>(
  { weight: 4, arbitrary: rest },
  { weight: 2, arbitrary: tags },
  { weight: 2, arbitrary: faults },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('mint', 'revoke', 'create token', 'list refs', 'fetch'),
      repo,
    }) as fc.Arbitrary<Step>,
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('push' as const), repo, branch: fc.constantFrom('main', 'more') }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Seed>(
        { repos: { other: { files: { b: 'b\n' } } } },
        { repos: { notes: {} }, tags: [{ type: 'worker', id: 'w4', tags: {} }] },
        { namespaces: ['new'], tags: [{ repo: 'notes', tags: { d: '4' } }] },
      )
      .map((seed): Step => ({ do: 'seed', seed })),
  },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'clear faults' }, { do: 'reset' }, { do: 'inspect' }) },
  { weight: 1, arbitrary: fc.nat(40 * 86_400_000).map((milliseconds): Step => ({ do: 'wait', milliseconds })) },
);

/** Runs a step. A refusal by the service does not fail the test. */
export async function take(stage: Stage, step: Step): Promise<void> {
  const { mock, tokens } = stage;
  const token = 'repo' in step ? tokens.findLast((one) => one.repo === step.repo) : undefined;
  const origin = new URL(mock.restUrl).origin;
  switch (step.do) {
    case 'request':
      await send(mock.handlers, restRequest(origin, step.method, pathAt(mock, step.path), step.body));
      return;
    case 'mint': {
      const path = pathAt(mock, `${repos}/${namespaceOf(step.repo)}/tokens`);
      const reply = await send(
        mock.handlers,
        restRequest(origin, 'POST', path, { repo: nameOf(step.repo), scope: 'write' }),
      );
      const { result } = parsed(reply) as { result?: { plaintext?: string; id?: string } };
      if (result?.plaintext !== undefined)
        tokens.push({ repo: step.repo, secret: bare(result.plaintext), id: result.id });
      return;
    }
    case 'revoke': {
      const path = pathAt(mock, `${repos}/${namespaceOf(step.repo)}/tokens/${token?.id ?? 'none'}`);
      await send(mock.handlers, restRequest(origin, 'DELETE', path));
      return;
    }
    case 'create token': {
      const secret = await mock.store.createToken(step.repo).catch(() => undefined);
      if (secret !== undefined) tokens.push({ repo: step.repo, secret: bare(secret), id: undefined });
      return;
    }
    case 'list refs':
      await send(mock.handlers, refsRequest(mock, step.repo, token?.secret ?? 'none'));
      return;
    case 'fetch':
      await send(mock.handlers, fetchRequest(mock, step.repo, token?.secret ?? 'none'));
      return;
    case 'push':
      await send(mock.handlers, pushRequest(mock, step.repo, step.branch, token?.secret ?? 'none'));
      return;
    case 'seed':
      await mock.store.seed(step.seed).catch(() => {});
      return;
    case 'fault':
      mock.faults.add(step.fault);
      return;
    case 'clear faults':
      mock.faults.clear();
      return;
    case 'reset':
      await mock.store.reset().catch(() => {});
      return;
    case 'inspect':
      await mock.store.inspect.repos().catch(() => {});
      return;
    case 'wait':
      stage.time.now += step.milliseconds;
  }
}

/** Returns a path of these steps for another account or dialect. */
function pathAt(mock: Mock, path: string): string {
  const there = (url: string): string => new URL(url).pathname;
  const service = `${account}/repos`;
  return path.startsWith(service)
    ? there(mock.restUrl) + path.slice(service.length)
    : there(mock.accountUrl) + path.slice(account.length);
}

export function restRequest(origin: string, method: string, path: string, body?: object): Sent {
  return {
    method,
    url: `${origin}${path}`,
    headers: { authorization: 'Bearer any', accept: 'application/json', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

export function refsRequest(mock: Mock, key: string, secret: string): Sent {
  return {
    method: 'GET',
    url: `${mock.store.remote(key)}/info/refs?service=git-upload-pack`,
    headers: { authorization: `Basic ${btoa(`x:${secret}`)}` },
  };
}

function fetchRequest(mock: Mock, key: string, secret: string): Sent {
  return {
    method: 'POST',
    url: `${mock.store.remote(key)}/git-upload-pack`,
    headers: {
      authorization: `Bearer ${secret}`,
      'git-protocol': 'version=2',
      'content-type': 'application/x-git-upload-pack-request',
    },
    body: '0014command=ls-refs\n0001000bsymrefs0000',
  };
}

const codec = portableCodec();

/** Returns a push of a new branch, as a client sends it. */
export function pushRequest(mock: Mock, key: string, branch: string, secret: string): Sent {
  const { refs, objects } = makeHistory(codec, '', { defaultBranch: branch, files: { c: `${branch}\n` } }, 0);
  const command = `${'0'.repeat(40)} ${[...refs.values()][0]} refs/heads/${branch}\0report-status`;
  const line = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`;
  return {
    method: 'POST',
    url: `${mock.store.remote(key)}/git-receive-pack`,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/x-git-receive-pack-request' },
    body: joined([new TextEncoder().encode(line), packObjects(codec, objects)]) as BodyInit,
  };
}

/** Returns the secret of a token without its expiry. */
export function bare(plaintext: string): string {
  return plaintext.split('?')[0] as string;
}

function parsed({ text }: Reply): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
