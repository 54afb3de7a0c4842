import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { served } from './conformance/support/served.ts';
import { makeTenants } from './conformance/support/tenants.ts';

/** The program of wrangler, as its package names it. */
const require = createRequire(import.meta.url);
const wranglerProgram = join(require.resolve('wrangler/package.json'), '..', 'bin', 'wrangler.js');

/** The result of one command. */
interface Ended {
  readonly code: number | null;
  /** Standard output and error together. */
  readonly text: string;
}

let home: string;
let environment: Record<string, string>;
let stop: () => Promise<void>;

/** Runs the command line of the public service. Only three environment variables point it at this service. */
async function wrangler(...words: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [wranglerProgram, 'artifacts', ...words], { cwd: home, env: environment });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, text };
}

async function json(...words: string[]): Promise<unknown> {
  const { code, text } = await wrangler(...words, '--json');
  expect({ code, text }).toMatchObject({ code: 0 });
  return JSON.parse(text);
}

beforeAll(async () => {
  const tenants = makeTenants();
  const deployment = await served('node')({ dialect: 'cloudflare', tenants, settings: { repos_page_default: 3 } });
  ({ stop } = deployment);
  home = await mkdtemp(join(tmpdir(), 'packhouse-wrangler-'));
  environment = {
    PATH: process.env['PATH'] ?? '',
    // Its own folders, so that it finds no login and leaves nothing behind.
    HOME: home,
    XDG_CONFIG_HOME: home,
    CI: 'true',
    NO_COLOR: '1',
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_API_BASE_URL: `${deployment.origin}/client/v4`,
    CLOUDFLARE_API_TOKEN: tenants.apiToken,
    CLOUDFLARE_ACCOUNT_ID: 'local',
  };
});

afterAll(async () => {
  await stop();
  await rm(home, { recursive: true, force: true });
});

describe('the command line of the public service, in the cloudflare dialect', () => {
  it('REPO-074: repos create', async () => {
    expect(
      await json('repos', 'create', 'notes', '--namespace', 'default', '--description', 'Agent notes', '--read-only'),
    ).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{16}$/),
      name: 'notes',
      description: 'Agent notes',
      default_branch: 'main',
      remote: expect.stringMatching(/\/git\/local\/default\/notes\.git$/),
      token: expect.stringMatching(/^art_v2_x_[0-9a-f]{40}\?expires=\d+$/),
    });
    const told = await wrangler('repos', 'create', 'trunk', '--namespace', 'default', '--default-branch', 'trunk');
    expect(told).toMatchObject({ code: 0 });
    expect(told.text).toContain('Created Artifacts repo "trunk" in namespace "default".');
    expect(told.text).toMatch(/default_branch:\s+trunk/);
  });

  it('REPO-071, REPO-072: namespaces list and get', async () => {
    const [namespace] = (await json('namespaces', 'list')) as [unknown];
    expect(namespace).toMatchObject({ namespace: 'default', repo_count: 2 });
    expect(await json('namespaces', 'get', 'default')).toEqual(namespace);
    expect((await wrangler('namespaces', 'list')).text).toContain('default');
  });

  it('REPO-075, REPO-091: repos list reads all pages', async () => {
    for (const name of ['one', 'two']) await json('repos', 'create', name, '--namespace', 'default');
    const repos = (await json('repos', 'list', '--namespace', 'default')) as readonly { readonly name: string }[];
    expect(repos.map(({ name }) => name)).toEqual(['two', 'one', 'trunk', 'notes']);
    expect(repos.at(-1)).toMatchObject({ read_only: true, status: 'ready' });
  });

  it('REPO-076: repos get', async () => {
    const repo = await json('repos', 'get', 'NOTES', '--namespace', 'default');
    expect(repo).toMatchObject({ name: 'notes', description: 'Agent notes', read_only: true, source: null });
  });

  it('REPO-087: repos issue-token', async () => {
    expect(
      await json('repos', 'issue-token', 'notes', '--namespace', 'default', '--scope', 'read', '--ttl', '600'),
    ).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{16}$/),
      plaintext: expect.stringMatching(/^art_v2_x_[0-9a-f]{40}\?expires=\d+$/),
      scope: 'read',
      expires_at: expect.stringMatching(/Z$/),
    });
  });

  it('REPO-077: repos delete, after which the repo is gone', async () => {
    expect(await json('repos', 'delete', 'one', '--namespace', 'default', '--force')).toMatchObject({ deleted: true });
    const { code, text } = await wrangler('repos', 'get', 'one', '--namespace', 'default');
    expect(code).toBe(1);
    expect(text).toContain('Repository not found [code: 10200]');
  });

  it('REPO-031, REPO-112: shows errors in the words of the service', async () => {
    const taken = await wrangler('repos', 'create', 'Notes', '--namespace', 'default');
    expect(taken.text).toContain('repo already exists: Notes [code: 10201]');
    expect(taken.code).toBe(1);
    environment = { ...environment, CLOUDFLARE_API_TOKEN: 'not-a-token-of-this-service' };
    const refused = await wrangler('repos', 'list', '--namespace', 'default');
    expect(refused.text).toContain('Authentication error [code: 10000]');
    expect(refused.code).toBe(1);
  });
});
