import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLocalWorkerd } from '@packhouse/workers/local';
import { ran } from './in-process.ts';

const workers = fileURLToPath(new URL('../../../workers', import.meta.url));

describe('workers init', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packhouse-init-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('writes a folder whose Worker can be bundled, and serves with the variables in the folder', async () => {
    const made = join(folder, 'deep', 'made');
    const args = ['workers', 'init', made, '--name', 'my-git', '--public-url', 'https://git.example.com'];
    expect(await ran([...args, '--account', 'team', '--dialect', 'cloudflare', '--json'])).toMatchObject({ code: 0 });
    const wrangler = parsed(await readFile(join(made, 'wrangler.jsonc'), 'utf8'));
    expect(wrangler).toMatchObject({
      name: 'my-git',
      main: 'src/index.ts',
      compatibility_flags: ['nodejs_compat', 'global_fetch_strictly_public'],
      limits: { cpu_ms: 300_000, subrequests: 1_000_000 },
      migrations: [{ new_sqlite_classes: ['CatalogObject', 'RepoObject'] }],
      r2_buckets: [{ binding: 'PACKS', bucket_name: 'my-git-packs' }],
      observability: { enabled: true },
      routes: [{ pattern: 'git.example.com', custom_domain: true }],
    });
    expect(String(wrangler['compatibility_date']) >= '2026-02-24').toBe(true);

    await mkdir(join(made, 'node_modules', '@packhouse'), { recursive: true });
    await symlink(workers, join(made, 'node_modules', '@packhouse', 'workers'));
    const data = join(folder, 'data');
    await mkdir(data);
    const served = await startLocalWorkerd({
      host: '127.0.0.1',
      port: 0,
      folder: data,
      entry: join(made, String(wrangler['main'])),
      config: (wrangler['vars'] as { CONFIG: object }).CONFIG,
      apiTokens: [{ token: 'long-enough-for-a-token', account: 'team', permissions: ['read', 'edit'] }],
      log: () => undefined,
      apps: [
        {
          name: 'notes',
          entry: join(workers, 'test', 'app', 'notes.ts'),
          repos: { REPOS: { account: 'team', namespace: 'default' } },
        },
      ],
    });
    try {
      const made = await fetch(`${served.url.origin}/client/v4/accounts/team/artifacts/namespaces/default/repos`, {
        method: 'POST',
        headers: { authorization: 'Bearer long-enough-for-a-token', 'content-type': 'application/json' },
        body: '{"name":"hello"}',
      });
      expect(await made.json()).toMatchObject({ success: true, result: { name: 'hello' } });
      const { origin } = await served.appUrl('notes');
      expect(await (await fetch(`${origin}/hello`)).json()).toMatchObject({ name: 'hello' });
    } finally {
      await served.close();
    }
  });

  it('refuses a folder that is not empty, and does not change it', async () => {
    await writeFile(join(folder, 'mine'), 'x');
    const { code, err } = await ran(['workers', 'init', folder]);
    expect(code).not.toBe(0);
    expect(err).toContain('is not empty');
    expect(await readdir(folder)).toEqual(['mine']);
  });

  it.each([
    [['--name', 'My_Git'], '--name'],
    [['--name', `a${'b'.repeat(54)}`], '--name'],
    [['--public-url', 'http://git.example.com'], '--public-url'],
    [['--public-url', 'https://git.example.com/path'], '--public-url'],
    [['--account', 'a b'], '--account'],
    [['--dialect', 'klingon'], '--dialect'],
  ])('refuses %j', async (options, named) => {
    const { code, err } = await ran(['workers', 'init', join(folder, 'made'), ...options]);
    expect(code).toBe(2);
    expect(err).toContain(named);
    expect(await readdir(folder)).toEqual([]);
  });
});

/** Parses JSON with comments on separate lines. */
function parsed(text: string): Record<string, unknown> {
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')) as Record<string, unknown>;
}
