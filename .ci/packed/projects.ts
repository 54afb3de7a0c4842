import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readExamples } from './example.ts';
import type { PackedPackage } from './pack.ts';
import { promises, type RuntimeName } from './promises.ts';

/** A project with one package. It has only the dependencies that the package or the project declares. */
export interface Project {
  readonly packed: PackedPackage;
  /** A description for people. */
  readonly title: string;
  readonly on: readonly RuntimeName[];
  readonly printed: string;
  /** Creates a folder in the project for a run on a runtime. Its module `run.ts` exports `run`. */
  folderFor(runtime: RuntimeName): string;
}

interface Plan extends Pick<Project, 'packed' | 'title' | 'on' | 'printed'> {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly code: string;
  /** True if it also imports every export of the package. */
  readonly isAlone?: boolean;
}

function plansOf(packed: PackedPackage): readonly Plan[] {
  const { name } = packed.manifest;
  const promise = promises[name];
  if (promise === undefined) throw new Error(`.ci/packed/promises.ts does not say where ${name} runs.`);
  const { on, example = on, examples = {}, uses = [] } = promise;
  const alone = {
    packed,
    title: 'alone',
    on,
    dependencies: { [name]: 'packed' },
    code: '',
    printed: '',
    isAlone: true,
  };
  const others = uses.map(({ beside = {}, ...use }): Plan => {
    const title = Object.entries(beside).map(([peer, version]) => `${peer} ${version}`);
    return { packed, title: title.join(', ') || 'use', dependencies: { [name]: 'packed', ...beside }, ...use };
  });
  if (example.length === 0) return [alone, ...others];
  const shown = readExamples(packed.folder).map(({ name: file, installed, ...use }, index): Plan => {
    const runtimes = index === 0 ? example : examples[file];
    if (runtimes === undefined) throw new Error(`.ci/packed/promises.ts does not say where ${file} of ${name} runs.`);
    return { packed, title: `README, ${file}`, on: runtimes, dependencies: installed, ...use };
  });
  return [alone, ...shown, ...others];
}

/** Returns a free port, to replace the one in examples. */
function freePort(): string {
  const probe = `const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
    console.log(server.address().port);
    server.close();
  });`;
  return execFileSync(process.execPath, ['-e', probe], { encoding: 'utf8' }).trim();
}

/** Returns code that imports everything that the package exports for a runtime. */
function importsFor({ manifest }: PackedPackage, runtime: RuntimeName): string {
  const only = promises[manifest.name]?.only ?? {};
  const paths = Object.keys(manifest.exports ?? {})
    .filter((path) => !path.endsWith('schema'))
    .filter((path) => only[path]?.includes(runtime) ?? true);
  return paths
    .map((path, index) => {
      const specifier = JSON.stringify(`${manifest.name}${path.slice(1)}`);
      return `import * as part${index} from ${specifier};\nif (Object.keys(part${index}).length === 0) throw new Error(${specifier});\n`;
    })
    .join('');
}

/**
 * Installs the packed packages in projects of one folder outside the workspace. Without hoisting, each package finds
 * only its dependencies, and a version that a peer range excludes fails.
 */
export function installProjects(folder: string, packages: readonly PackedPackage[]): readonly Project[] {
  const tarballs = Object.fromEntries(packages.map(({ manifest, file }) => [manifest.name, `file:${file}`]));
  const settings = {
    packages: ['projects/*'],
    overrides: tarballs,
    hoist: false,
    dedupePeerDependents: false,
    strictPeerDependencies: true,
  };
  const projects = packages.flatMap(plansOf).map((plan, index): Project => {
    const name = `${plan.packed.folder.split('/').at(-1)}-${index}`;
    const project = join(folder, 'projects', name);
    mkdirSync(project, { recursive: true });
    const dependencies = Object.fromEntries(
      Object.entries(plan.dependencies).map(([each, version]) => [each, tarballs[each] ?? version]),
    );
    const manifest = { name, private: true, type: 'module', dependencies };
    writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
    return {
      ...plan,
      folderFor(runtime) {
        const place = join(project, runtime);
        const imports = plan.isAlone === true ? importsFor(plan.packed, runtime) : '';
        mkdirSync(place);
        writeFileSync(
          join(place, 'use.ts'),
          `${plan.code.includes('8787') ? plan.code.replaceAll('8787', freePort()) : plan.code}\nexport {};\n`,
        );
        writeFileSync(
          join(place, 'run.ts'),
          `${imports}export async function run() {\n  await import('./use.ts');\n}\n`,
        );
        return place;
      },
    };
  });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'projects', private: true }));
  // JSON is valid YAML.
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(settings));
  const options = ['--prefer-offline', '--ignore-scripts', '--no-frozen-lockfile'];
  execFileSync('npx', ['-y', 'pnpm@12', '--silent', 'install', ...options], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return projects;
}
