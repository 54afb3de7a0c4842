/** The suite against a zone that another app serves, rightly and wrongly. */

import { cases, runCases, selectCases, type CaseResult } from '@packhouse/conformance';
import { afterEach, expect, it } from 'vitest';
import { inMemory } from './support/memory.ts';
import { anotherApp, type AnotherApp, type AppOptions } from './support/another-app.ts';
import { makeTenants } from './support/tenants.ts';

const tenants = makeTenants();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function started(options?: AppOptions): Promise<AnotherApp> {
  const app = await anotherApp(options);
  closing.push(() => app.close());
  return app;
}

/** Returns the results of the platform error cases with the app as the zone. */
async function results(
  app: AnotherApp,
  only: string = 'errors/*',
  publicService: boolean = false,
): Promise<readonly CaseResult[]> {
  const { origin, stop } = await inMemory({ dialect: 'neutral', tenants, settings: {} });
  closing.push(stop);
  const target = { name: 'app', origin, dialect: 'neutral', account: 'local', apiToken: tenants.apiToken } as const;
  const report = await runCases({
    target: { ...target, zone: app.origin, publicService },
    cases: selectCases(cases, [only]),
  });
  return report.cases;
}

const failures = (of: readonly CaseResult[]): readonly string[] =>
  of.flatMap(({ id, failure }) => (failure === null ? [] : [`${id}: ${failure.message}`]));

/** Changes the body of replies with this type. */
const bodies =
  (type: string, change: (text: string) => string) =>
  async (response: Response): Promise<Response> => {
    if (response.headers.get('content-type')?.startsWith(type) !== true) return response;
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    return new Response(change(await response.text()), { status: response.status, headers });
  };

it('requires only the error route of another app', { timeout: 60_000 }, async () => {
  const app = await started();
  const all = await results(app);
  expect(failures(all)).toEqual([]);
  const skipped = all.filter(({ status }) => status !== 'pass').map(({ reason }) => reason);
  expect(skipped.filter((reason) => reason?.startsWith('needs a deployment started with') !== true)).toEqual([]);
  expect(app.credentials).not.toEqual([]);
  expect(app.credentials.join()).not.toContain(tenants.apiToken);
});

it('accepts an app that rejects other hosts, with any reply', async () => {
  const app = await started({ ownHost: true });
  for (const only of ['errors/zones/*', 'errors/markdown/zones']) {
    const all = await results(app, only);
    expect(failures(all)).toEqual([]);
    expect(all.map(({ status }) => status)).toContain('skipped');
  }
});

it('accepts an app that rejects long headers', async () => {
  const app = await started({ headMax: 6000 });
  const all = [...(await results(app, 'errors/negotiation/limits-beyond')), ...(await results(app, 'NEG-007'))];
  expect(failures(all)).toEqual([]);
  expect(all.map(({ reason }) => reason)).toContain('needs a service that takes a header of 9017 characters');
});

it('accepts pages with comments, other pictures and no time element', async () => {
  const app = await started({
    change: bodies('text/html', (html) =>
      html
        .replace('<main>', '<main><!-- <b> --><img alt="" src="data:,">')
        .replace(/<time [^>]*>([^<]*)<\/time>/, '$1'),
    ),
  });
  expect(failures(await results(app, 'errors/html/*')).map((text) => text.split(':')[0])).toEqual([
    'errors/html/structure',
  ]);
});

it('requires no proposed name or status of the public service', { timeout: 60_000 }, async () => {
  // Status and name of this code are only proposed.
  const change = async (response: Response): Promise<Response> => {
    const { headers } = response;
    const text = await response.text();
    const proposed = text.includes('direct_ip_access_denied');
    return new Response(text, { status: proposed ? 418 : response.status, headers });
  };
  const app = await started({ change });
  const all = await results(app, 'errors/*', true);
  expect(failures(all)).toEqual([]);
  const beyond = all.filter(({ status, reason }) => status === 'beyond' && reason?.includes('1003'));
  expect(beyond.map(({ id }) => id)).toContain('errors/route/every-code-proposed');
});

it.each<[what: string, change: NonNullable<AppOptions['change']>, found: string]>([
  [
    'no Vary',
    ({ status, body, headers }) =>
      new Response(body, { status, headers: [...headers].filter(([name]) => name !== 'vary') }),
    'errors/headers/further: ',
  ],
  [
    'line ends of Markdown that are not LF',
    bodies('text/markdown', (text) => text.replaceAll('\n', '\r\n')),
    'errors/markdown/bytes: ',
  ],
  [
    'a script in the page',
    bodies('text/html', (html) => html.replace('</main>', '<script>1</script></main>')),
    'errors/html/document: ',
  ],
  [
    'a member too many',
    bodies('application/json', (json) => json.replace('{', '{"trace":"x",')),
    'errors/json/members: ',
  ],
])('finds %s', async (_what, change, found) => {
  const app = await started({ change });
  const [first = 'nothing'] = failures(await results(app, found.replace(': ', '')));
  expect(first).toContain(found);
});
