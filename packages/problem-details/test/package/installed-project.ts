import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
const compiler = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));

/**
 * Runs a program.
 *
 * @throws {Error} with its output if it fails.
 */
async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  try {
    await promisify(execFile)(program, args, { cwd });
  } catch (cause) {
    const { stdout, stderr } = cause as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${stdout ?? ''}${stderr ?? ''}`, { cause });
  }
}

/** Packages that the README's apps use besides this one. They are linked, since only this package is packed. */
const peers = ['@hono/node-server', '@hono/zod-openapi', 'hono', 'zod'];

/** A project that has installed the package. */
export interface InstalledProject {
  readonly folder: string;
  /** Writes a file; `name` is its path in the project. */
  write(name: string, text: string): string;
  /** Returns the messages of the TypeScript compiler with this configuration; empty if it succeeds. */
  check(configuration: object): Promise<string>;
  remove(): void;
}

/**
 * Packs the current sources as they would be published, and installs the tarball with npm in an empty project outside
 * the workspace. Needs no network, since the package has no dependencies.
 */
export async function installProject(): Promise<InstalledProject> {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'problem-details-'));
  const folder = join(root, 'project');
  const project: InstalledProject = {
    folder,
    write(name, text) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    async check(configuration) {
      project.write('tsconfig.json', JSON.stringify(configuration));
      try {
        await run(process.execPath, [compiler, '--pretty', 'false'], folder);
        return '';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  try {
    project.write('package.json', JSON.stringify({ private: true, type: 'module' }));
    await install(folder, await pack(root));
    return project;
  } catch (error) {
    project.remove();
    throw error;
  }
}

async function install(folder: string, packed: string): Promise<void> {
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', packed], folder);
  for (const name of peers) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(join(packageFolder, 'node_modules', name)), link);
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
