import { negotiate, respond } from '@packhouse/problem-details';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { runtimeNames, type RunningEntry } from '../runtimes/running-entry.ts';
import { startEntry } from '../runtimes/start-entry.ts';
import { hasCurl, runCommand } from './curl.ts';
import { type InstalledProject, installProject } from './installed-project.ts';
import { oldestNode, startOnNode20 } from './node-20.ts';
import { readBlocks, readme, withoutChance } from './readme-blocks.ts';
import { serveReplies } from './small-server.ts';

const { files, commands, logs, unmarked } = readBlocks(readme);

/** Files of the README with separate tests here. */
const others = ['client.ts', 'openapi.ts', 'origin.ts'];

describe('the README', () => {
  it('has only blocks that are executed', () => {
    expect(unmarked).toEqual([]);
    expect([...files.keys()].toSorted()).toEqual([...commands.keys(), ...logs.keys(), ...others].toSorted());
  });
});

let project: InstalledProject;
beforeAll(async () => {
  project = await installProject();
  for (const [name, text] of files) project.write(name, text);
  return () => project.remove();
}, 240_000);

it('promises the tested Node version', () => {
  const manifest = readFileSync(join(project.folder, 'node_modules/@packhouse/problem-details/package.json'), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ engines: { node: `>=${oldestNode.replace(/^v|\.0$/g, '')}` } });
});

describe('the types of the published package', () => {
  const options = { strict: true, noEmit: true, target: 'es2024', module: 'nodenext' };
  const typeRoots = [fileURLToPath(new URL('../../../../node_modules/@types', import.meta.url))];

  it.each([
    ['a browser', { lib: ['es2024', 'dom', 'dom.iterable'], types: [] }],
    ['a Worker', { lib: ['es2024', 'webworker', 'webworker.iterable'], types: [] }],
    ['Node', { lib: ['es2024'], types: ['node'], typeRoots }],
  ])('suit the README, with those of %s', async (_, environment) => {
    const include = [...files.keys()];
    expect(await project.check({ compilerOptions: { ...options, ...environment }, include })).toBe('');
  });

  it('reject code with wrong types', async () => {
    project.write('wrong.ts', "import { respond } from '@packhouse/problem-details';\nvoid respond(1015);\n");
    const said = await project.check({ compilerOptions: { ...options, types: [] }, include: ['wrong.ts'] });
    expect(said).toMatch(/^wrong\.ts\(2,6\): error TS2554/);
  });
});

describe.each([...runtimeNames, 'node 20' as const])('the published package on %s', (runtime) => {
  /** Serves a module while `use` runs. `text` exports `handle`. */
  async function serving(text: string, use: (running: RunningEntry) => Promise<void>): Promise<void> {
    const entry = project.write('entry.js', text);
    const running = await (runtime === 'node 20' ? startOnNode20(entry) : startEntry(runtime, pathToFileURL(entry)));
    try {
      await use(running);
    } finally {
      await running.close();
    }
  }

  // `Deno.serve` passes no request to a function without parameters.
  const ofFile = (file: string): string =>
    `import app from ${JSON.stringify(`./${file}`)};\nexport const handle = (request, ...rest) => app.fetch(request, ...rest);\n`;

  it.skipIf(!hasCurl).each([...commands])('behaves with %s as the README says', async (file, shown) => {
    await serving(ofFile(file), async ({ url }) => {
      for (const { command, output } of shown) {
        expect(withoutChance(await runCommand(command, url)), command).toBe(withoutChance(output));
      }
    });
  });

  it.each([...logs])('logs with %s as the README says', async (file, shown) => {
    await serving(ofFile(file), async ({ url, lines }) => {
      await fetch(url.replace('127.0.0.1', 'localhost'));
      await vi.waitFor(() => expect(lines()).toHaveLength(shown.trim().split('\n').length), { timeout: 20_000 });
      expect(withoutChance(lines().join('\n'))).toBe(withoutChance(shown));
    });
  });

  it('retries in the client of the README', async () => {
    const request = new Request('http://localhost/', { headers: { Accept: 'application/problem+json' } });
    const limited = await respond(request, { code: 1015, retryAfter: 0 });
    const { status, headers } = limited;
    const server = await serveReplies(
      { status, headers: Object.fromEntries(headers), body: await limited.text() },
      { status: 200, body: 'done' },
    );
    const text = `import { fetchPatiently } from './client.ts';\nexport const handle = () => fetchPatiently('${server.url}');\n`;
    await serving(text, async ({ url }) => {
      expect(await (await fetch(url)).text()).toBe('done');
      expect(server.asked).toHaveLength(2);
      // A client that accepts every type would get the page for people.
      expect(server.accepted.map((accept) => negotiate(accept))).toEqual(Array(2).fill('application/problem+json'));
    });
    await server.close();
  });

  it('fetches from the origin of the README', async () => {
    const origin = await serveReplies({ status: 418, headers: { 'X-Origin': 'yes' }, body: 'tea' });
    project.write('origin-here.ts', (files.get('origin.ts') ?? '').replace('https://origin.example', origin.url));
    await serving(ofFile('origin-here.ts'), async ({ url }) => {
      const reply = await fetch(`${url}/pot?of=tea`);
      expect([reply.status, reply.headers.get('X-Origin'), await reply.text()]).toEqual([418, 'yes', 'tea']);
      expect(origin.asked).toEqual(['/pot?of=tea']);
      await origin.close();
      // workerd does not report why a connection fails.
      expect((await fetch(url)).status).toBe(runtime === 'workerd' ? 502 : 521);
    });
  });

  it('documents the route of the README', async () => {
    await serving(ofFile('openapi.ts'), async ({ url }) => {
      const document: unknown = await (await fetch(`${url}/openapi.json`)).json();
      const content = { 'application/json': {}, 'application/problem+json': {}, 'text/markdown': {} };
      const responses = { 200: {}, 429: { content }, 500: { content } };
      expect(document).toMatchObject({ paths: { '/orders': { get: { responses } } } });
      expect((await fetch(`${url}/orders`)).status).toBe(429);
      expect(await (await fetch(`${url}/orders`, { headers: { Authorization: 'me' } })).json()).toEqual(['17']);
    });
  });
});
