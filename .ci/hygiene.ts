/**
 * Packs every publishable package as it would be published and checks the tarballs with publint (does the manifest
 * point at what is there) and attw (do the types resolve for every kind of import). Prints what is wrong and exits
 * non-zero. `dist/` must be up to date: `pnpm hygiene` builds first.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Runs a program of `tools/`; its output is shown only when it finds something. */
const passes = (tool: string, args: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(join(root, 'tools', 'node_modules', '.bin', tool), args, { cwd: root }, (error, stdout, stderr) => {
      if (error !== null) console.error(`${tool} ${args.join(' ')}\n${stdout}${stderr}`);
      resolve(error === null);
    });
  });

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
  const [waiting, failed]: [string[], string[]] = [[...tarballs], []];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const tarball = join(folder, name);
      const published = await passes('publint', ['run', '--strict', tarball]);
      const typed = await passes('attw', ['--profile', 'esm-only', '--no-emoji', '--no-color', tarball]);
      if (!published || !typed) failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  if (tarballs.length === 0) console.error('No package was packed.');
  console.log(`${tarballs.length - failed.length} of ${tarballs.length} packages are fit to publish`);
  process.exitCode = failed.length > 0 || tarballs.length === 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
