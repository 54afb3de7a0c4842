import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gitEnvironment } from '@packhouse/fixtures';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder } from '../support/test-server.ts';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
/** It runs no TypeScript, so that programs are translated for it. */
const oldestNode = join(packages, 'server/node_modules/node-22/bin/node');
const readme = readFileSync(join(packages, 'binding/README.md'), 'utf8');

/** A fenced block, with the comment before it if there is one. */
const fenced =
  /(?:<!-- (executed by packages\/server\/test\/binding\/readme\.runtimes\.test\.ts:|printed by) ([\w.]+) -->\n+)?^```\w*\n([^]*?)^```$/gm;

const files = new Map<string, string>();
const printed = new Map<string, string>();
const unmarked: string[] = [];
for (const [, role, name = '', text = ''] of readme.matchAll(fenced)) {
  if (role === undefined) unmarked.push(text.split('\n', 1)[0] ?? '');
  else (role === 'printed by' ? printed : files).set(name, text);
}

let folder: string;
beforeAll(() => {
  folder = makeFolder();
  // What an installation would have.
  const modules = join(folder, 'node_modules/@packhouse');
  mkdirSync(modules, { recursive: true });
  for (const name of ['binding', 'hosting', 'server']) symlinkSync(join(packages, name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
});
afterAll(() => removeFolder(folder));

/** Runs a program and returns its output. */
async function run(node: string, program: string): Promise<string> {
  // The README names the author itself.
  const { GIT_AUTHOR_NAME: _, GIT_COMMITTER_NAME: __, ...env } = { ...process.env, ...gitEnvironment };
  const args = ['--disable-warning=ExperimentalWarning', program];
  return (await promisify(execFile)(node, args, { cwd: folder, env })).stdout;
}

describe('the README of the binding', () => {
  it('has no block that is not executed', () => {
    expect(unmarked).toEqual([]);
    expect([...printed.keys()]).toEqual([...files.keys()]);
    expect(files.size).toBeGreaterThan(2);
  });

  it.each([...files])('says what %s prints', async (name, text) => {
    writeFileSync(join(folder, name), text);
    expect(await run(process.execPath, name)).toBe(printed.get(name));
  });

  it.each([...files.keys()])('BIND-020: says what %s prints on the oldest Node', async (name) => {
    const outfile = join(folder, `${name}.mjs`);
    const target = 'node22.13';
    await build({ entryPoints: [join(folder, name)], outfile, bundle: true, platform: 'node', format: 'esm', target });
    rmSync(join(folder, 'packhouse-data'), { recursive: true, force: true });
    rmSync(join(folder, 'plans'), { recursive: true, force: true });
    expect(await run(oldestNode, outfile)).toBe(printed.get(name));
  });
});
