import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cases, type Report } from '@packhouse/conformance';
import { run } from '@packhouse/cli';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boundInMemory } from './support/bound-memory.ts';
import type { Deployment } from './support/deployment.ts';
import { inMemory } from './support/memory.ts';
import { makeTenants } from './support/tenants.ts';

const tenants = makeTenants();
const folder = mkdtempSync(join(tmpdir(), 'packhouse-conformance-command-'));
const environment = { ...process.env, CONFORMANCE_API_TOKEN: tenants.apiToken };
/** A quick case, and one that fails if replies lack a header. */
const quick = 'rest/credentials/refused';
const headers = 'rest/request-ids/every-reply';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await inMemory({ dialect: 'cloudflare', tenants, settings: {} });
});
afterAll(async () => {
  await deployment.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function packhouse(
  args: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly fetch?: (request: Request) => Promise<Response>;
  } = {},
): Promise<Ran> {
  let out = '';
  let err = '';
  const code = await run(args, {
    out: (text) => void (out += text),
    outBytes: async () => {},
    err: (text) => void (err += text),
    outIsTerminal: false,
    errIsTerminal: false,
    env: options.env ?? environment,
    cwd: folder,
    program: 'packhouse',
    fetch: options.fetch ?? (async (request) => await fetch(request)),
    onSignal: () => () => undefined,
  });
  return { code, out, err };
}

/** Removes the request id from replies. */
const withoutIds = async (request: Request): Promise<Response> => {
  const response = await fetch(request);
  const changed = new Headers(response.headers);
  changed.delete('cf-ray');
  const body = response.status === 204 ? null : await response.arrayBuffer();
  return new Response(body, { status: response.status, headers: changed });
};

describe('packhouse conformance run', () => {
  it('says how long it waits for the rate of the service', async () => {
    let refused = 0;
    const { code, err } = await packhouse(
      ['conformance', 'run', deployment.origin, '--only', 'tags/lists/key-of-values'],
      {
        fetch: async (request) =>
          request.method === 'PUT' && request.url.includes('/tags') && refused++ === 0
            ? new Response(null, { status: 429, headers: { 'retry-after': '1' } })
            : await fetch(request),
      },
    );
    expect([code, refused > 1]).toEqual([0, true]);
    expect(err).toContain('waiting 1 s for the rate of the service\n');
  });

  it('exits with 0 if all pass, and detects the dialect', async () => {
    const { code, out, err } = await packhouse(['conformance', 'run', deployment.origin, '--only', quick]);
    expect({ code, out, err }).toMatchObject({ code: 0, out: expect.stringContaining('(cloudflare, account local)') });
    expect(out).toContain('cases         1: 1 pass\n');
    expect(err).toMatch(/^pass +rest\/credentials\/refused \(\d+ ms\)\n$/);
  });

  it('tests a service at a path (REPO-216)', async () => {
    const { origin } = deployment;
    const mounted = async (request: Request): Promise<Response> =>
      request.url.startsWith(`${origin}/mount/`)
        ? await fetch(new Request(request.url.replace('/mount/', '/'), request))
        : new Response('', { status: 404 });
    const args = ['conformance', 'run', `${origin}/mount/`, '--only', quick];
    const { code, out } = await packhouse(args, { fetch: mounted });
    expect([code, out]).toEqual([0, expect.stringContaining(`${origin}/mount (cloudflare, account local)`)]);
  });

  it('exits with 1 if one fails, names it and how to run it again, and writes the reports', async () => {
    const reports = ['--report', 'json=report.json', '--report', 'junit=report.xml'];
    const { code, out, err } = await packhouse(
      ['conformance', 'run', deployment.origin, '--only', quick, '--only', headers, '--seed', '7', ...reports],
      { fetch: withoutIds },
    );
    expect(code).toBe(1);
    expect(out).toContain(`FAIL ${headers}\n`);
    expect(out).toContain(
      `again: packhouse conformance run ${deployment.origin} --dialect cloudflare --seed 7 --only ${headers}\n`,
    );
    const json = readFileSync(join(folder, 'report.json'), 'utf8');
    const report = JSON.parse(json) as Report;
    expect(report).toMatchObject({ seed: 7, counts: { pass: 1, fail: 1 }, left_behind: [] });
    expect(report.target).toEqual({
      name: deployment.origin,
      origin: deployment.origin,
      dialect: 'cloudflare',
      account: 'local',
      zone: null,
      public_service: false,
    });
    expect(report.run).toEqual({ url: deployment.origin, options: {} });
    const xml = readFileSync(join(folder, 'report.xml'), 'utf8');
    expect(xml).toContain('tests="2" failures="1"');
    expect(`${out}${err}${json}${xml}`).not.toContain(tenants.apiToken);
  });

  it('skips cases without the means for them, with the reason, and still succeeds', async () => {
    const only = ['--only', quick, '--only', 'rest/permissions/*', '--only', 'rest/rates/account'];
    const { code, out } = await packhouse(['conformance', 'run', deployment.origin, ...only]);
    expect(code).toBe(0);
    expect(out).toContain('needs an API token that may only read (CONFORMANCE_READ_TOKEN)\n    rest/permissions/');
    expect(out).toContain('needs a deployment started with {');
  });

  it('asks the zone for platform errors if it is given one', async () => {
    const args = ['--only', 'errors/json/members', '--only', 'errors/route/unknown-code'];
    const without = await packhouse(['conformance', 'run', deployment.origin, ...args]);
    expect(without.out).toContain('needs a hostname that serves platform errors (--zone)');
    const { code, out } = await packhouse([
      'conformance',
      'run',
      deployment.origin,
      ...args,
      '--zone',
      deployment.origin,
    ]);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('cases         2: 2 pass\n') });
  });

  it('prints the command to run a case again with the zone and for the public service', async () => {
    const zones = ['--zone', deployment.origin, '--zone-id', 'zone-local'];
    const args = [...zones, '--public-service', '--seed', '7', '--only', 'errors/headers/published'];
    const { code, out } = await packhouse(['conformance', 'run', deployment.origin, ...args], { fetch: withoutIds });
    expect(code).toBe(1);
    const url = [deployment.origin, ...zones].join(' ');
    expect(out).toContain(
      `again: packhouse conformance run ${url} --public-service --dialect cloudflare --seed 7 --only errors/headers/published\n`,
    );
  });

  it('takes the other credentials from the environment', async () => {
    const env = {
      ...environment,
      CONFORMANCE_READ_TOKEN: tenants.readToken,
      CONFORMANCE_OTHER_ACCOUNT: 'other',
      CONFORMANCE_OTHER_API_TOKEN: tenants.otherApiToken,
    };
    const args = ['--only', 'rest/permissions/*', '--only', 'rest/accounts/*'];
    const { code, out } = await packhouse(['conformance', 'run', deployment.origin, ...args], { env });
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/cases {9}\d+: \d+ pass\n/) });
  });

  it('needs no URL and token for a zone alone, and detects its dialect', { timeout: 180_000 }, async () => {
    const args = ['conformance', 'run', '--zone', deployment.origin];
    const all = await packhouse(args, { env: {}, fetch: withoutIds });
    expect(all.code).toBe(1);
    expect(all.out).toContain(
      `again: packhouse conformance run --zone ${deployment.origin} --dialect cloudflare --seed`,
    );
    expect(all.out).toContain(`\n${deployment.origin} (cloudflare)\n`);
    expect(all.out).not.toContain('needs a control plane');
    const some = ['--only', 'errors/json/members', '--only', quick];
    const { code, out } = await packhouse([...args, ...some], { env: {} });
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining('cases         2: 1 pass, 1 skipped\n'),
    });
    expect(out).toContain(`needs a control plane (URL)\n    ${quick}`);
  });

  it('calls the runtime binding through a probe, and prints the command to do so again', async () => {
    const secret = 'a-secret-of-the-probe-0123456789';
    const bound = await boundInMemory({ dialect: 'neutral', tenants, namespaces: ['one'], secret });
    try {
      const env = { ...environment, CONFORMANCE_BINDING_SECRET: secret };
      const only = ['--only', 'binding/create/*'];
      const args = ['conformance', 'run', bound.origin, '--binding-url', bound.probeUrl, ...only];
      const { code, out } = await packhouse(args, { env });
      expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('cases         3: 3 pass\n') });

      const wrong = await packhouse(args, { env: { ...env, CONFORMANCE_BINDING_SECRET: `${secret}x` } });
      expect(wrong).toMatchObject({
        code: 1,
        out: expect.stringContaining('is no probe, or has another secret (404)'),
      });
      expect(wrong.out).toContain(`--binding-url ${bound.probeUrl} --dialect`);
      expect(`${wrong.out}${wrong.err}`).not.toContain(secret);

      const without = await packhouse(args);
      expect(without).toMatchObject({ code: 2, err: expect.stringContaining('CONFORMANCE_BINDING_SECRET is missing') });
    } finally {
      await bound.stop();
    }
    const skipped = await packhouse(['conformance', 'run', deployment.origin, '--only', 'binding/create/options']);
    expect(skipped.out).toContain('needs a probe beside the binding (--binding-url, CONFORMANCE_BINDING_SECRET)');
  });

  it('exits with 2 if a lone zone is missing, and with 3 if it shows nothing', async () => {
    expect(await packhouse(['conformance', 'run'], { env: {} })).toMatchObject({
      code: 2,
      err: expect.stringContaining('or --zone HOST'),
    });
    const args = ['conformance', 'run', '--zone', 'shop.example'];
    const elsewhere = await packhouse(args, { env: {}, fetch: async () => new Response('', { status: 404 }) });
    expect(elsewhere).toMatchObject({
      code: 3,
      err: expect.stringContaining('can be tested (errors: GET /cdn-cgi/error/1000 was answered 404)'),
    });
    const gone = async (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));
    const nothing = await packhouse(args, { env: {}, fetch: gone });
    expect(nothing).toMatchObject({ code: 3, err: expect.stringContaining('cannot be reached') });
  });

  it.each([
    ['no token', [], { ...environment, CONFORMANCE_API_TOKEN: '' }, 'There is no API token.'],
    [
      'a token that is not taken',
      [],
      { CONFORMANCE_API_TOKEN: 'another-token' },
      'does not admit CONFORMANCE_API_TOKEN',
    ],
    ['an account that is not its own', ['--account', 'other'], environment, 'to the account "other" (403)'],
    [
      'half a second account',
      [],
      { ...environment, CONFORMANCE_OTHER_ACCOUNT: 'x' },
      'CONFORMANCE_OTHER_API_TOKEN is missing',
    ],
    ['a pattern without cases', ['--only', 'nothing/*'], environment, 'no case fits "nothing/*"'],
    ['a report of another form', ['--report', 'xml=x'], environment, '--report cannot be "xml=x"'],
    ['a report in no folder', ['--report', 'json=no/x'], environment, 'does not exist'],
    ['a report that is a folder', ['--report', 'json=.'], environment, 'is a folder'],
    ['a zone that is none', ['--zone', 'a b'], environment, '--zone is no host name'],
    ['a zone with a path', ['--zone', 'shop.example/x'], environment, 'Leave the path out: https://shop.example'],
    ['an ID of a zone that is none', ['--zone-id', 'a b'], environment, '--zone-id cannot be "a b"'],
    ['a probe at no URL', ['--binding-url', 'probe'], environment, '--binding-url is no URL'],
    ['a seed that is none', ['--seed', 'x'], environment, '--seed cannot be "x"'],
  ])('exits with 2 for %s', async (_what, args, env, message) => {
    const { code, out, err } = await packhouse(['conformance', 'run', deployment.origin, ...args], { env });
    expect({ code, out, err }).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  it.each(['ftp://x', 'http://user:secret-of-the-user@host', 'http://host/path?query'])(
    'exits with 2 for %s',
    async (url) => {
      const { code, err } = await packhouse(['conformance', 'run', url]);
      expect(code).toBe(2);
      expect(err).not.toContain('secret-of-the-user');
    },
  );

  it('exits with 3 if no service answers', async () => {
    const gone = async (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));
    const nothing = await packhouse(['conformance', 'run', deployment.origin], { fetch: gone });
    expect(nothing).toMatchObject({ code: 3, err: expect.stringContaining('cannot be reached') });
    const elsewhere = async (): Promise<Response> => new Response('hello');
    const stranger = await packhouse(['conformance', 'run', deployment.origin], { fetch: elsewhere });
    expect(stranger).toMatchObject({ code: 3, err: expect.stringContaining('can be tested (rest: POST ') });
    const wrongDialect = await packhouse(['conformance', 'run', deployment.origin, '--dialect', 'neutral']);
    expect(wrongDialect.code).toBe(3);
  });

  it('shows the results, and exits with 2, if a report cannot be written', async () => {
    const args = ['--only', quick, '--report', `json=${'x'.repeat(300)}`];
    const { code, out, err } = await packhouse(['conformance', 'run', deployment.origin, ...args]);
    expect({ code, out }).toMatchObject({ code: 2, out: expect.stringContaining('cases         1: 1 pass\n') });
    expect(err).toContain('cannot be written (ENAMETOOLONG)');
  });

  it('removes what it created after Ctrl-C', async () => {
    const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
    const child = spawn(process.execPath, [main, 'conformance', 'run', deployment.origin, '--concurrency', '2'], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    await once(child.stderr, 'data');
    child.stderr.resume();
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('stopped before the end') });
    expect(out).toContain('the run was stopped\n');
    const listed = await fetch(`${deployment.origin}/client/v4/accounts/local/artifacts/namespaces`, {
      headers: { authorization: `Bearer ${tenants.apiToken}` },
    });
    expect(await listed.json()).toMatchObject({ result: [] });
  });
});

describe('packhouse conformance list', () => {
  it('lists all cases, for people and for programs', async () => {
    const text = await packhouse(['conformance', 'list']);
    expect(text).toMatchObject({ code: 0, err: '', out: expect.stringMatching(`\n${cases.length} cases\n$`) });
    const { out } = await packhouse(['conformance', 'list', '--json']);
    const listed = JSON.parse(out) as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
    expect(listed[0]).toEqual({
      id: expect.any(String),
      requirements: expect.any(Array),
      level: expect.any(String),
      beyond: expect.any(Boolean),
      needs: expect.any(Array),
      settings: null,
      explanation: expect.any(String),
    });
  });

  it('accepts patterns and requirement ids', async () => {
    const { out } = await packhouse(['conformance', 'list', '--json', '--only', 'REPO-031']);
    const listed = JSON.parse(out) as { id: string; requirements: string[] }[];
    expect(listed.map(({ id }) => id)).toContain(quick);
    expect(listed.every(({ requirements }) => requirements.includes('REPO-031'))).toBe(true);
  });
});
