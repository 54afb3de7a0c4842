import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
const compiler = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));

/**
 * Runs a program and returns its standard output.
 *
 * @throws {Error} with its output if it fails.
 */
export async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd, timeout: 120_000 })).stdout;
  } catch (cause) {
    const { stdout, stderr } = cause as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${stdout ?? ''}${stderr ?? ''}`, { cause });
  }
}

/** A project that has installed the package. */
export interface InstalledProject {
  readonly folder: string;
  /** Writes a file into the project and returns its path. */
  write(name: string, text: string): string;
  /** Returns the messages of the TypeScript compiler for files of the project; empty if they compile. */
  check(files: readonly string[], lib: readonly string[]): Promise<string>;
  remove(): void;
}

/**
 * Packs the current sources as they would be published, and installs the tarball with npm in an empty project outside
 * the workspace. Needs no network, since the package has no dependencies.
 */
export async function installProject(): Promise<InstalledProject> {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'tag-filter-'));
  const folder = join(root, 'project');
  mkdirSync(folder);
  const project: InstalledProject = {
    folder,
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    async check(files, lib) {
      const compilerOptions = { strict: true, noEmit: true, target: 'es2024', module: 'nodenext', lib, types: [] };
      project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
      try {
        return await run(process.execPath, [compiler, '--pretty', 'false'], folder);
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  try {
    project.write('package.json', JSON.stringify({ private: true, type: 'module' }));
    const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...quiet, await pack(root)], folder);
    return project;
  } catch (error) {
    project.remove();
    throw error;
  }
}

/**
 * Builds and packs a copy of the package, and returns the path of the tarball. The workspace's `dist/` may be outdated,
 * so it is not used.
 */
async function pack(root: string): Promise<string> {
  const copy = join(root, 'package');
  for (const name of ['README.md', 'src']) cpSync(join(packageFolder, name), join(copy, name), { recursive: true });
  // Drops the dependencies of tests and the script that builds the package in the workspace.
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as object;
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, devDependencies: {}, scripts: {} }));
  cpSync(join(packageFolder, '..', '..', 'LICENSE'), join(copy, 'LICENSE'));
  const sources = join(packageFolder, 'src');
  const configuration = {
    extends: join(packageFolder, 'tsconfig.json'),
    // Published types must not need those of Node.
    compilerOptions: { rootDir: sources, outDir: join(copy, 'dist'), tsBuildInfoFile: 'tsbuildinfo', types: [] },
    include: [sources],
    exclude: [`${sources}/**/*.test.ts`, `${sources}/**/*.test.util.ts`],
  };
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(configuration));
  await run(process.execPath, [compiler, '--project', join(root, 'tsconfig.json')], root);
  const packed = join(root, 'packed');
  await run('npx', ['--prefer-offline', '-y', 'pnpm@12', 'pack', '--pack-destination', packed], copy);
  const [tarball = ''] = readdirSync(packed);
  return join(packed, tarball);
}
