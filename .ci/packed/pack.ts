import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const root: string = join(import.meta.dirname, '..', '..');

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
}

export interface PublishablePackage {
  /** The folder of the package, relative to the root. */
  readonly folder: string;
  readonly manifest: Manifest;
}

export interface PackedPackage extends PublishablePackage {
  /** Path of the tarball. */
  readonly file: string;
  readonly bytes: number;
}

const folders = ['conformance', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)];

/** The packages that are not private. */
export const publishable: readonly PublishablePackage[] = folders
  .map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest,
  }))
  .filter(({ manifest }) => manifest.private !== true);

/** Packs every publishable package as it would be published. Each builds itself first (`prepack`). */
export function packAll(destination: string): readonly PackedPackage[] {
  const filters = publishable.flatMap(({ manifest }) => ['--filter', manifest.name]);
  // One at a time: two packages that build the same dependency would write the same files.
  const options = ['--workspace-concurrency', '1', 'pack', '--pack-destination', destination];
  execFileSync('npx', ['-y', 'pnpm@12', '--silent', ...filters, ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return publishable.map((each) => {
    const { name, version } = each.manifest;
    const file = join(destination, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
    return { ...each, file, bytes: statSync(file).size };
  });
}
