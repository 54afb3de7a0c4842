/**
 * Packs every publishable package as it would be published. Checks the tarballs with publint (the manifest points at
 * existing files) and attw (the types resolve for every kind of import). Then installs each package alone in an empty
 * project and uses it on Node 24. With `--runtimes`, uses it on every promised runtime, and with the oldest supported
 * versions of its peers. Prints a table, and exits non-zero if something failed.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleOf } from '@packhouse/fixtures';
import { hasBrowser } from '@packhouse/fixtures/runtimes';
import { packAll, root } from './packed/pack.ts';
import { installProjects, type Project } from './packed/projects.ts';
import { runtimes, type RuntimeName } from './packed/promises.ts';

const allRuntimes = process.argv.includes('--runtimes');

/** Runs a program of `tools/`; its output is shown only if it finds something. */
const passes = (tool: string, args: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(join(root, 'tools', 'node_modules', '.bin', tool), args, { cwd: root }, (error, stdout, stderr) => {
      if (error !== null) console.error(`${tool} ${args.join(' ')}\n${stdout}${stderr}`);
      resolve(error === null);
    });
  });

/** Returns true if a tarball is built, documented and licensed, and has no files of the workspace only. */
function hasFiles(file: string): boolean {
  const files = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trimEnd().split('\n');
  const needed = ['README.md', 'LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts', 'src/index.ts'];
  const missing = needed.filter((path) => !files.includes(`package/${path}`));
  const surplus = files.filter((path) => /\.test\.|\.tsbuildinfo$/.test(path));
  const passed = missing.length === 0 && surplus.length === 0;
  if (!passed) console.error(`${file}: lacks [${missing.join(', ')}], and should not have [${surplus.join(', ')}]`);
  return passed;
}

async function uses(project: Project, runtime: RuntimeName): Promise<boolean> {
  const title = `${project.packed.manifest.name}, ${project.title}, ${runtime}`;
  try {
    const lines = await runtimes[runtime](project.folderFor(runtime), 'run.ts');
    if (lines.join('\n') === project.printed) return true;
    console.error(`${title}: expected\n${project.printed}\nbut it printed\n${lines.join('\n')}`);
  } catch (error) {
    console.error(`${title}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return false;
}

/** At a commit, each project runs on a third of its further runtimes, and the next project on another third. */
let turn = 0;
const inTurn = (names: readonly RuntimeName[]): readonly RuntimeName[] =>
  process.env['PACKHOUSE_RUNS'] === 'commit' ? sampleOf(names, 3, turn++) : names;

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'packhouse-packed-'));
try {
  const packages = packAll(join(folder, 'tarballs'));
  const projects = installProjects(folder, packages);
  const results = new Map<string, Map<string, boolean>>();
  const tasks: (() => Promise<void>)[] = [];
  const add = (name: string, column: string, check: () => Promise<boolean>): void => {
    const row = results.get(name) ?? new Map<string, boolean>();
    results.set(name, row);
    tasks.push(async () => {
      const passed = await check();
      row.set(column, (row.get(column) ?? true) && passed);
    });
  };
  for (const { manifest, file } of packages) {
    add(manifest.name, 'files', async () => hasFiles(file));
    add(manifest.name, 'publint', () => passes('publint', ['run', '--strict', file]));
    add(manifest.name, 'attw', () => passes('attw', ['--profile', 'esm-only', '--no-emoji', '--no-color', file]));
  }
  for (const project of projects) {
    const others = project.on.filter((runtime) => runtime !== 'Node 24' && (hasBrowser || runtime !== 'Chromium'));
    const on = [...project.on.filter((runtime) => runtime === 'Node 24'), ...(allRuntimes ? inTurn(others) : [])];
    for (const runtime of on) add(project.packed.manifest.name, runtime, () => uses(project, runtime));
  }
  const work = async (): Promise<void> => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const columns = ['files', 'publint', 'attw', ...(allRuntimes ? Object.keys(runtimes) : ['Node 24'])];
  const table = packages.map(({ manifest, bytes }) => {
    const row = results.get(manifest.name);
    const cells = columns.map((column) => [column, { true: 'yes', false: 'NO' }[String(row?.get(column))] ?? '-']);
    return [manifest.name, { kB: Math.ceil(bytes / 1000), ...Object.fromEntries(cells) }];
  });
  console.table(Object.fromEntries(table));
  const failed = packages.filter(({ manifest }) => [...(results.get(manifest.name)?.values() ?? [])].includes(false));
  console.log(`${packages.length - failed.length} of ${packages.length} packages are fit to publish`);
  process.exitCode = failed.length > 0 || packages.length === 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
