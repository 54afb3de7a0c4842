import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Yields the names of all files below a folder of packs, such as `<account>/<repository>/<pack id>.pack`, in pages. */
export async function* listFiles(root: string, below = ''): AsyncGenerator<readonly string[], void, undefined> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const names = entries.map((entry) => ({ isFolder: entry.isDirectory(), name: `${below}${entry.name}` }));
  yield names.filter(({ isFolder }) => !isFolder).map(({ name }) => name);
  for (const { name, isFolder } of names) if (isFolder) yield* listFiles(root, `${name}/`);
}
