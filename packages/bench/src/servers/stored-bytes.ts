import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the bytes of all files below a folder. A file with several links counts once. */
export const storedBytes = (folder: string): number => {
  const sizes = new Map<bigint, bigint>();
  for (const name of globSync('**/*', { cwd: folder })) {
    const { ino, size, isFile } = fileAt(join(folder, name));
    if (isFile) sizes.set(ino, size);
  }
  return Number([...sizes.values()].reduce((sum, size) => sum + size, 0n));
};

const fileAt = (path: string): { readonly ino: bigint; readonly size: bigint; readonly isFile: boolean } => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return { ino: found?.ino ?? 0n, size: found?.size ?? 0n, isFile: found?.isFile() === true };
};
