import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@packhouse/fixtures';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const node = (name: string): string => join(root, 'tools/node_modules', name, 'bin/node');
const apiToken = 'test-token-that-is-long-enough-0123456789';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-workers-folder-'));
  const pack = ['--silent', '--filter-prod', '@packhouse/cli...', 'pack', '--pack-destination', join(folder, 'packed')];
  expect(await run('npx', ['-y', 'pnpm@12', ...pack], root)).toMatchObject({ code: 0 });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a program until it exits, with `extra` as the only variables of the service and of wrangler. */
async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  extra: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const env = { ...process.env, CI: 'true', NO_COLOR: '1', WRANGLER_SEND_METRICS: 'false', ...extra };
  return await new Promise((resolve) => {
    const child = execFile(program, args, { cwd, env, timeout: 240_000 }, (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });
}

/** Returns the folder that `workers init` writes, with our packages from the tarballs. */
async function written(name: string): Promise<string> {
  const made = join(folder, name);
  const main = join(root, 'packages/cli/src/main.ts');
  expect(await run(process.execPath, [main, 'workers', 'init', made], folder)).toMatchObject({ code: 0 });
  const file = join(made, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly dependencies: Record<string, string>;
    readonly devDependencies: Record<string, string>;
  };
  const overrides: Record<string, string> = {};
  for (const tarball of readdirSync(join(folder, 'packed'))) {
    const name = tarball.replace(/^packhouse-(.*)-\d+\.\d+\.\d+\.tgz$/, '@packhouse/$1');
    const direct = [manifest.dependencies, manifest.devDependencies].find((list) => name in list);
    const place = `file:${join(folder, 'packed', tarball)}`;
    if (direct !== undefined) direct[name] = place;
    overrides[name] = direct === undefined ? place : `$${name}`;
  }
  expect(Object.keys(overrides)).toContain('@packhouse/workers');
  writeFileSync(file, JSON.stringify({ ...manifest, overrides }));
  return made;
}

/** Newer Nodes run what this one runs; the tests of `@packhouse/workers` use the Node of this workspace. */
const oldest = node('node-22');

it(
  'a folder of `workers init` can be installed and bundled on the oldest Node that it promises, works as its README says, and reports the required Node on Node 20',
  { timeout: 600_000 },
  async () => {
    const made = await written('made');
    const PATH = `${dirname(oldest)}${delimiter}${process.env['PATH'] ?? ''}`;
    const installed = await run('npm', ['install', '--no-audit', '--no-fund'], made, { PATH });
    expect(installed).toMatchObject({ code: 0 });
    expect(installed.err).not.toContain('EBADENGINE');
    const bundled = await run('npx', ['--no-install', 'wrangler', 'deploy', '--dry-run'], made, { PATH });
    expect(bundled).toMatchObject({ code: 0 });

    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const configuration = join(made, 'wrangler.jsonc');
    const text = readFileSync(configuration, 'utf8');
    writeFileSync(configuration, text.replace(/"public_url": "[^"]*"/, `"public_url": "${url}"`));
    writeFileSync(join(made, '.dev.vars'), `API_TOKEN=${apiToken}\n`);
    const dev = spawn('npx', ['--no-install', 'wrangler', 'dev', '--ip', '127.0.0.1', '--port', String(port)], {
      cwd: made,
      env: { ...process.env, PATH, CI: 'true', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const ended = once(dev, 'close');
    try {
      let log = '';
      await new Promise<void>((resolve, reject) => {
        for (const stream of [dev.stdout, dev.stderr]) {
          stream.setEncoding('utf8').on('data', (part: string) => {
            log += part;
            if (log.includes('Ready on')) resolve();
          });
        }
        void ended.then(() => reject(new Error(log)));
      });
      const [command = ''] = /^npx @packhouse\/cli repo .*$/m.exec(readFileSync(join(made, 'README.md'), 'utf8')) ?? [];
      const environment = { PATH, PACKHOUSE_URL: url, PACKHOUSE_API_TOKEN: apiToken };
      const created = await run('sh', ['-c', `${command} --json`], made, environment);
      expect(created).toMatchObject({ code: 0 });
      expect(JSON.parse(created.out)).toMatchObject({ name: 'hello', remote: `${url}/git/local/default/hello.git` });
    } finally {
      if (dev.pid !== undefined) process.kill(-dev.pid, 'SIGKILL');
      await ended;
    }

    const old = async (path: string): Promise<Ended> =>
      await run(node('node-20'), [join(made, 'node_modules', path), 'deploy'], made);
    expect(await old('@packhouse/cli/dist/main.js')).toEqual({
      code: 6,
      out: '',
      err: 'error: this program needs Node 22.13 or later, and this is Node 20.3.0.\nhint: https://nodejs.org has the current one.\n',
    });
    const wrangler = await old('wrangler/bin/wrangler.js');
    expect(wrangler.err).toMatch(/^Wrangler requires at least Node\.js v22.* You are using v20\.3\.0/);
    expect(wrangler.err).not.toContain('\n    at ');
  },
);

it('the oldest supported wrangler of a folder of `workers init` knows its compatibility date', async () => {
  const made = await written('range');
  const { devDependencies } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const [, date = ''] =
    /"compatibility_date": "([^"]*)"/.exec(readFileSync(join(made, 'wrangler.jsonc'), 'utf8')) ?? [];
  const oldestWrangler = `wrangler@${String(devDependencies['wrangler']).replace('^', '')}`;
  const { out } = await run('npm', ['view', oldestWrangler, 'dependencies.workerd'], made);
  const [, workerd = ''] = /^1\.(\d{8})\./.exec(out) ?? [];
  expect(workerd).toMatch(/^\d{8}$/);
  expect(workerd >= date.replaceAll('-', '')).toBe(true);
});
