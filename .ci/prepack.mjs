/**
 * Builds the package of the current folder from scratch, before it is packed: `tsc -b` alone considers a deleted
 * `dist/` up to date. Runs on every Node that pnpm may use, so this is plain JavaScript.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules/typescript/bin/tsc');
// Use the workspace's Node, because this script may run on an older Node that a package has for its tests.
const own = join(root, 'node_modules/.bin/node');

// npm would keep `workspace:*` and leave the exports at the sources (docs/decisions/0004).
if (!process.env['npm_config_user_agent']?.startsWith('pnpm/')) throw new Error('Pack and publish with pnpm.');
if (!existsSync(compiler)) execFileSync('npx', ['-y', 'pnpm@12', 'install'], { cwd: root, stdio: 'inherit' });

for (const made of ['dist', 'tsconfig.tsbuildinfo']) rmSync(made, { recursive: true, force: true });
const configurations = ['.', 'src/local'].filter((folder) => existsSync(join(folder, 'tsconfig.json')));
// Write to standard error, because pnpm describes the tarball on standard output.
execFileSync(existsSync(own) ? own : process.execPath, [compiler, '-b', ...configurations], {
  stdio: ['ignore', 2, 2],
});
