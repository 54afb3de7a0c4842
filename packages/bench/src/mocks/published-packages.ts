import { cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Manifest {
  readonly publishConfig?: { readonly exports?: object };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const house = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Installs a package and its dependencies into `folder/node_modules`: packages of the house as they are built and
 * published, the others by links. Throws if nothing has been built.
 *
 * `packages`: the folder with the packages of the house.
 */
export const layPublished = async (folder: string, name: string, packages: string = house): Promise<void> => {
  const laid = new Set<string>();
  const lay = async (one: string, from: string): Promise<void> => {
    if (laid.has(one)) return;
    laid.add(one);
    const target = join(folder, 'node_modules', one);
    await mkdir(dirname(target), { recursive: true });
    if (!one.startsWith('@packhouse/')) {
      await symlink(await realpath(join(from, 'node_modules', one)), target);
      return;
    }
    const source = join(packages, one.slice('@packhouse/'.length));
    const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Manifest;
    await cp(join(source, 'dist'), join(target, 'dist'), {
      recursive: true,
      filter: (path) => !/\.test\.|\.d\.ts|\.map$/.test(basename(path)),
    }).catch((error: unknown) => {
      throw new Error(`${one} was not built: pnpm types does that`, { cause: error });
    });
    const published = { ...manifest, ...manifest.publishConfig };
    await writeFile(join(target, 'package.json'), JSON.stringify(published));
    const needed = { ...manifest.dependencies, ...manifest.peerDependencies };
    for (const next of Object.keys(needed)) await lay(next, source);
  };
  await lay(name, packages);
};
