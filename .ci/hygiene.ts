/**
 * Packs every publishable package as it would be published and checks the tarballs with publint (does the manifest
 * point at what is there) and attw (do the types resolve for every kind of import). Prints what is wrong and exits
 * non-zero. `dist/` must be up to date: `pnpm hygiene` builds first.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Runs a tool of the workspace; its output is shown only when it finds something. */
const passes = (tool: string, args: string[]): boolean => {
  const run = spawnSync(join(root, 'node_modules', '.bin', tool), args, { cwd: root, encoding: 'utf8' });
  if (run.status === 0) return true;
  console.error(`${tool} ${args.join(' ')}\n${run.stdout}${run.stderr}`);
  return false;
};

/** `--filter` arguments that choose the packages which are not private. */
const folders = ['conformance', ...readdirSync(join(root, 'packages')).map((name) => join('packages', name))];
const publishable = folders.flatMap((folder) => {
  const manifest: { name: string; private?: boolean } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  );
  return manifest.private ? [] : ['--filter', manifest.name];
});

const folder = mkdtempSync(join(tmpdir(), 'packhouse-tarballs-'));
try {
  execFileSync('npx', ['-y', 'pnpm@12', '--silent', ...publishable, 'pack', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const failed = tarballs.filter((name) => {
    const tarball = join(folder, name);
    const published = passes('publint', ['run', '--strict', tarball]);
    const typed = passes('attw', ['--profile', 'esm-only', '--no-emoji', '--no-color', tarball]);
    return !published || !typed;
  });
  if (tarballs.length === 0) console.error('No package was packed.');
  console.log(`${tarballs.length - failed.length} of ${tarballs.length} packages are fit to publish`);
  process.exitCode = failed.length > 0 || tarballs.length === 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
