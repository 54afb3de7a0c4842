import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readyText } from '../../packages/cli/src/commands/ready.ts';
import { executedBlocks } from './executed-blocks.ts';
import { address, environment, main, serveFolder } from './served-folder.ts';
import { readTracked } from './tracked-files.ts';

const readme = readTracked('README.md');
/** Arguments of {@link readyText}. */
type Shown = Parameters<typeof readyText>;

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe('README.md', () => {
  it('has the two commands, and the lines for create, push and clone', () => {
    expect(readme).toContain('npx -y pnpm@12 start');
    expect(readme).toContain('npx -y pnpm@12 test');
    const [block = ''] = executedBlocks(readme);
    for (const command of ['curl ', ' push ', ' clone ']) expect(block).toContain(command);
  });
});

it('README.md shows what a start prints without a terminal', () => {
  const data = '/srv/packhouse/.packhouse';
  const keptToken = { file: `${data}/api-token`, token: 'not shown', created: true };
  const server = { url: `http://${address}`, account: 'local', data, keptToken } as unknown as Shown[0];
  const io = { program: 'npx -y pnpm@12 packhouse', outIsTerminal: false } as unknown as Shown[1];
  expect(readme).toContain(`\n${readyText(server, io, { listens: undefined, warnings: [] })}\`\`\`\n`);
});

describe.skipIf(!hasCurl)('the commands of README.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-readme-'));
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  let server: Awaited<ReturnType<typeof serveFolder>>;

  beforeAll(async () => {
    git('init', '--quiet', '--initial-branch=main');
    writeFileSync(join(folder, 'hello.txt'), 'hello\n');
    git('add', 'hello.txt');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.test', 'commit', '--quiet', '-m', 'Start');
    server = await serveFolder(folder);
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('create a repository, push to it, clone it back, and tag it', () => {
    const { url } = server;
    const script = executedBlocks(readme)
      .join('\n')
      .replaceAll(address, new URL(url).host)
      .replaceAll('npx -y pnpm@12 packhouse', `'${process.execPath}' '${main}'`);
    expect(script).toContain(url);
    expect(script).not.toContain(address);
    const clones = mkdtempSync(join(folder, 'clones-'));
    const run = (): { status: number | null; stdout: string; stderr: string } =>
      spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
        cwd: folder,
        encoding: 'utf8',
        // Without the last variable, Node would cache compiled modules next to the clones.
        env: { ...environment, TMPDIR: clones, PACKHOUSE_URL: url, NODE_DISABLE_COMPILE_CACHE: '1' },
      });
    const first = run();
    expect(first.stderr).toContain('[new branch]');
    expect(first.status).toBe(0);
    const [made = ''] = readdirSync(clones);
    for (const clone of ['hello', 'hello-again']) {
      expect(git('-C', join(clones, made, clone), 'rev-parse', 'HEAD')).toBe(git('rev-parse', 'HEAD'));
    }
    expect(first.stdout).toMatch(/\nrepository +\w{16} +default\/hello +env=prod team=core\n$/);
    // No file with a token may stay in the checkout.
    expect(readdirSync(folder).toSorted()).toEqual(['.git', '.packhouse', 'hello.txt', basename(clones)].toSorted());

    const second = run();
    expect(second.stdout).toContain('repo already exists: hello');
    expect(second.stderr).toMatch(/TOKEN: The reply above has no token\n$/);
    expect(second.status).not.toBe(0);
  });
});
