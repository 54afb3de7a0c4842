/**
 * The runtimes that each package promises, and how a project uses it there. The package's `exports` list what can be
 * imported; `only` lists the exports for fewer runtimes.
 */
import { join } from 'node:path';
import {
  bun,
  deno,
  inChromium,
  inProcess,
  inWorkerd,
  node20,
  node22,
  type RunModule,
} from '@packhouse/fixtures/runtimes';
import { readExamples } from './example.ts';
import { root } from './pack.ts';

const quiet = '--disable-warning=ExperimentalWarning';

export const runtimes = {
  'Node 20.3': inProcess(node20),
  'Node 22.13': inProcess(node22, quiet),
  'Node 24': inProcess(process.execPath, quiet),
  Deno: inProcess(deno, 'run', '--quiet', '--no-prompt', '--no-lock', '--allow-all'),
  Bun: inProcess(bun, '--config=/dev/null', '--no-env-file'),
  workerd: inWorkerd('nodejs_compat'),
  Chromium: inChromium,
} satisfies Readonly<Record<string, RunModule>>;

export type RuntimeName = keyof typeof runtimes;

const node = ['Node 22.13', 'Node 24'] as const;
const servers = [...node, 'Deno', 'Bun'] as const;
const everywhere = [...servers, 'workerd', 'Chromium'] as const;

/** Code of a project that has installed a package, and its expected output. */
export interface Use {
  readonly code: string;
  readonly printed: string;
  /** Further packages in the project, by name. A tarball of ours has the version `packed`. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly on: readonly RuntimeName[];
}

export interface PackagePromise {
  readonly on: readonly RuntimeName[];
  /** Runtimes of single exports. An empty list: the export needs more than the package, so only a use imports it. */
  readonly only?: Readonly<Record<string, readonly RuntimeName[]>>;
  /** Runtimes of the first example of the README. Default: all of the package. Empty: other tests run it. */
  readonly example?: readonly RuntimeName[];
  /** Runtimes of its further examples, by name. */
  readonly examples?: Readonly<Record<string, readonly RuntimeName[]>>;
  readonly uses?: readonly Use[];
}

const hono = {
  code: `import { Hono } from 'hono';
import { PlatformError } from '@packhouse/problem-details';
import { platformErrors } from '@packhouse/problem-details/hono';
const app = new Hono();
app.use(platformErrors());
app.get('/orders', () => {
  throw new PlatformError(1015, { retryAfter: 10 });
});
const reply = await app.request('/orders', { headers: { Accept: 'application/problem+json' } });
console.log(reply.status, reply.headers.get('content-type'));`,
  printed: '429 application/problem+json; charset=utf-8',
  on: ['Node 24'],
} as const;

const msw = {
  code: `import { createMock } from '@packhouse/msw';
import { setupServer } from 'msw/node';
const mock = createMock({ baseUrl: 'https://api.example.test', seed: { repos: { notes: {} } } });
const server = setupServer(...mock.handlers);
server.listen();
const reply = await fetch(\`\${mock.restUrl}/namespaces/default/repos\`, { headers: { Authorization: 'Bearer any' } });
const { result } = await reply.json();
console.log(reply.status, result.map(({ name }) => name).join());
server.close();`,
  printed: '200 notes',
  on: ['Node 24'],
} as const;

/** The commands of the README, against a server that the bin starts. */
const command = {
  code: `import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
const PATH = [dirname(process.execPath), '../node_modules/.bin', process.env.PATH].join(':');
const env = { ...process.env, PATH };
const server = spawn('packhouse', ['serve', '--port', '0', '--json'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
const [line] = await once(createInterface({ input: server.stdout }), 'line');
const readme = readFileSync('../node_modules/@packhouse/cli/README.md', 'utf8');
const [, commands] = /executed by [^>]* -->\\n+\`\`\`sh\\n([^]*?)\`\`\`/.exec(readme);
const options = { env: { ...env, PACKHOUSE_URL: JSON.parse(line).url }, encoding: 'utf8' };
const output = execFileSync('bash', ['-euc', commands.replaceAll('npx @packhouse/cli', 'packhouse')], options);
console.log(output.trimEnd().split('\\n').at(-1).split(' ')[0]);
server.kill();`,
  printed: 'notes',
} as const;

const [firstOfRouter] = readExamples('packages/router');
const [firstOfWorkers] = readExamples('packages/workers');

const oldestHono = {
  code: firstOfRouter?.code ?? '',
  printed: firstOfRouter?.printed ?? '',
  beside: { '@packhouse/storage': 'packed', hono: '4.8.0' },
  on: ['Node 24'],
} as const;

const localWorkerd = {
  code: firstOfWorkers?.code ?? '',
  printed: firstOfWorkers?.printed ?? '',
  beside: { miniflare: '4.20260708.0', esbuild: '0.25.0' },
  on: ['Node 24'],
} as const;

/** The Worker of the README, in workerd. */
const mountedWorker = {
  code: `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { startLocalWorkerd } from '@packhouse/workers/local';
const readme = readFileSync('../node_modules/@packhouse/router/README.md', 'utf8');
writeFileSync('worker.ts', /executed by [^>]*: worker.ts -->\\n+\`\`\`ts\\n([^]*?)\`\`\`/.exec(readme)[1]);
mkdirSync('data', { recursive: true });
const workerd = await startLocalWorkerd({
  entry: 'worker.ts',
  host: '127.0.0.1',
  port: 0,
  folder: 'data',
  config: { accounts: ['local'], public_url: 'https://app.example/git-host' },
  apiTokens: [{ token: 'secret-of-the-operator', account: 'local', permissions: ['read', 'edit'] }],
  log: () => undefined,
});
const url = new URL('/git-host/v4/accounts/local/repos/namespaces/default/repos', workerd.url);
const headers = { Authorization: 'Bearer secret-of-the-operator', 'Content-Type': 'application/json' };
const made = await fetch(url, { method: 'POST', headers, body: '{"name":"notes"}' });
console.log(await (await fetch(workerd.url)).text(), made.status, (await made.json()).result.remote);
await workerd.close();`,
  printed: 'my app 201 https://app.example/git-host/git/local/default/notes.git',
  beside: { '@packhouse/workers': 'packed', hono: '^4.11.2', miniflare: '^4.20260708.0', esbuild: '^0.25.0' },
  on: ['Node 24'],
} as const;

/** Returns a use that runs a test file in the Vitest of the project. */
const inVitest = (test: string): Pick<Use, 'code' | 'printed'> => ({
  code: `import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
writeFileSync('use.test.ts', ${JSON.stringify(test)});
const options = ['--reporter=json', '--outputFile=results.json', '--testTimeout=60000'];
const args = ['../node_modules/vitest/vitest.mjs', 'run', ...options];
execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
const { numPassedTests, numTotalTests } = JSON.parse(readFileSync('results.json', 'utf8'));
console.log(numTotalTests > 0 && numPassedTests === numTotalTests);`,
  printed: 'true',
});

/** The command of the suite, on its own, against a server that the checkout starts. */
const suiteCommand = {
  code: `import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
const main = '../node_modules/@packhouse/conformance/dist/main.js';
const commands = {
  node: ['../node_modules/.bin/packhouse-conformance'],
  deno: [process.execPath, 'run', '--allow-all', '--no-lock', main],
  bun: [process.execPath, main],
};
const [file, ...words] = commands['Deno' in globalThis ? 'deno' : 'Bun' in globalThis ? 'bun' : 'node'];
const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(':') };
const lineOf = (args, form) => execFileSync(file, [...words, ...args], { env, encoding: 'utf8', stdio: 'pipe' }).match(form)?.[0];
console.log(lineOf(['list', '--only', 'GIT-003'], /^git.*/));
const serve = [${JSON.stringify(join(root, 'packages/cli/src/main.ts'))}, 'serve', '--port', '0', '--json'];
const server = spawn(${JSON.stringify(process.execPath)}, serve, { stdio: ['ignore', 'pipe', 'ignore'] });
const [line] = await once(createInterface({ input: server.stdout }), 'line');
const { url, tokenFile } = JSON.parse(line);
env.CONFORMANCE_API_TOKEN = readFileSync(tokenFile, 'utf8').trim();
try {
  console.log(lineOf(['run', url, '--only', 'GIT-003', '--only', 'rest/credentials/refused'], /^cases.*/m));
} finally {
  server.kill();
}`,
  printed: 'git/http/methods\ncases         2: 2 pass',
  on: servers,
} as const;

const suiteInVitest = {
  ...inVitest(`import { conformanceTests } from '@packhouse/conformance/vitest';
const target = { name: 'made up', origin: 'http://made-up.test', dialect: 'neutral', account: 'local', apiToken: 'none' };
const madeUp = { id: 'made-up/one', requirements: ['REPO-007'], level: 'MUST', explanation: 'It does.' };
conformanceTests({
  name: 'made up',
  start: async () => ({ ...target, fetch: async () => Response.json({ result: [], success: true }) }),
  cases: [{ ...madeUp, run: async () => undefined }],
});`),
  on: ['Node 24'],
} as const;

const tagContractInVitest = {
  ...inVitest(`import { memoryTagStores } from '@packhouse/tagging';
import { testTagStore } from '@packhouse/tagging/contract';
testTagStore('memory', () => ({ stores: memoryTagStores(), close: () => {} }));`),
  beside: { vitest: '^5.1.1', '@fast-check/vitest': '^0.5.0' },
  on: ['Node 24'],
} as const;

const storageContractInVitest = {
  ...tagContractInVitest,
  ...inVitest(`import { memoryRepoState } from '@packhouse/storage';
import { testMaintainedState } from '@packhouse/storage/contract';
import { StrictBucket } from '@packhouse/storage/testing';
if (typeof StrictBucket !== 'function') throw new Error('there is no StrictBucket');
testMaintainedState('memory', () => {
  const states = new Map();
  const open = (id) => states.get(id) ?? states.set(id, memoryRepoState()).get(id);
  return { open, close: () => {} };
});`),
} as const;

const postgresClient = {
  code: `import { openNodePostgres } from '@packhouse/base/node-postgres';
const driver = openNodePostgres('postgres://127.0.0.1:1/none', { connectTimeout: 1000 });
await driver.rows('SELECT 1').catch((error) => console.log(error.name));
await driver.close();`,
  printed: 'DatabaseUnavailable',
  beside: { pg: '^8.23.1' },
} as const;

export const promises: Readonly<Record<string, PackagePromise>> = {
  '@packhouse/base': {
    on: everywhere,
    only: { './node-sqlite': servers, './node-postgres': [], './contract': [], './testing': [] },
    uses: [{ ...postgresClient, on: servers }],
  },
  '@packhouse/binding': { on: [...servers, 'workerd'], example: servers },
  '@packhouse/cli': { on: node, example: [], uses: [{ ...command, on: node }] },
  '@packhouse/client': {
    on: ['Node 20.3', ...everywhere],
    // The example brings the service, which needs a newer Node.
    example: everywhere,
    uses: [
      {
        code: `import { createClient } from '@packhouse/client';
const fetch = async ({ url }) => Response.json({ result: { url }, success: true, errors: [], messages: [] });
const { url } = await createClient({ url: 'https://git.example', token: 't', account: 'a', fetch }).repo('n', 'r').info();
console.log(url);`,
        printed: 'https://git.example/v4/accounts/a/repos/namespaces/n/repos/r',
        on: ['Node 20.3'],
      },
    ],
  },
  '@packhouse/command': { on: servers },
  '@packhouse/conformance': {
    on: servers,
    only: { './baselines/*': [], './binding-probe': [...servers, 'workerd'], './tools/*': [], './vitest': [] },
    example: [],
    uses: [
      suiteCommand,
      { ...suiteInVitest, beside: { vitest: '^5.0.0' } },
      { ...suiteInVitest, beside: { vitest: '^4.0.0' } },
      { ...suiteInVitest, beside: { vitest: '3.0.0' } },
    ],
  },
  '@packhouse/git': {
    on: everywhere,
    only: { './codec-node': [...servers, 'workerd'], './contract': [], './threads-node': servers },
  },
  '@packhouse/hosting': { on: everywhere, only: { './contract': [] } },
  '@packhouse/msw': {
    on: [...node, 'Chromium'],
    example: [],
    uses: [
      { ...msw, beside: { msw: '^3.0.0' }, on: node },
      { ...msw, beside: { msw: '2.10.0' } },
      {
        code: `import { createMock } from '@packhouse/msw';
console.log(createMock({ baseUrl: 'https://api.example.test' }).handlers.length > 0);`,
        printed: 'true',
        on: ['Chromium'],
      },
    ],
  },
  '@packhouse/problem-details': {
    on: ['Node 20.3', ...everywhere],
    example: [],
    uses: [
      {
        code: `import { negotiate, respond } from '@packhouse/problem-details';
const request = new Request('https://www.example.com/', { headers: { Accept: 'text/markdown' } });
const { status, headers } = await respond(request, { code: 1015, retryAfter: 10 });
console.log(negotiate('text/html'), status, headers.get('retry-after'));`,
        printed: 'text/html 429 10',
        on: ['Node 20.3', ...everywhere],
      },
      { ...hono, beside: { hono: '^4.8.0' } },
      { ...hono, beside: { hono: '4.8.0' } },
    ],
  },
  '@packhouse/router': {
    on: everywhere,
    examples: { 'node.ts': node, 'express.ts': node, 'deno.ts': ['Deno'] },
    uses: [oldestHono, mountedWorker],
  },
  '@packhouse/server': {
    on: servers,
    only: { './node': node, './deno': ['Deno'], './bun': ['Bun'] },
    example: node,
  },
  '@packhouse/storage': {
    on: everywhere,
    only: {
      './node': servers,
      './postgres': servers,
      './s3': servers,
      './transfer': servers,
      './contract': [],
      './testing': [],
    },
    uses: [storageContractInVitest],
  },
  '@packhouse/tag-filter': { on: ['Node 20.3', ...everywhere] },
  '@packhouse/tagging': { on: everywhere, only: { './contract': [] }, uses: [tagContractInVitest] },
  '@packhouse/workers': {
    on: [...node, 'workerd'],
    only: { '.': ['workerd'], './local': [], './deployment': node },
    example: node,
    uses: [localWorkerd],
  },
};
