/** The part of the promises of `node:fs` that isomorphic-git needs, in memory. */
export interface MemoryFs {
  readonly promises: {
    readFile(path: string, options?: { encoding?: string } | string): Promise<Uint8Array | string>;
    writeFile(path: string, data: Uint8Array | string): Promise<void>;
    unlink(path: string): Promise<void>;
    readdir(path: string): Promise<string[]>;
    mkdir(path: string): Promise<void>;
    rmdir(path: string): Promise<void>;
    stat(path: string): Promise<Stats>;
    lstat(path: string): Promise<Stats>;
    readlink(path: string): Promise<string>;
    symlink(target: string, path: string): Promise<void>;
  };
}

interface Stats {
  readonly type: 'file' | 'dir';
  readonly mode: number;
  readonly size: number;
  readonly ino: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly uid: number;
  readonly gid: number;
  readonly dev: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export function memoryFs(): MemoryFs {
  const files = new Map<string, Uint8Array>();
  const folders = new Set(['/']);
  const failure = (code: string): Error => Object.assign(new Error(code), { code });
  const clean = (path: string): string =>
    `/${path
      .split('/')
      .filter((part) => part !== '' && part !== '.')
      .join('/')}`;
  const parent = (path: string): string => clean(path.slice(0, path.lastIndexOf('/')));
  const stat = async (given: string): Promise<Stats> => {
    const path = clean(given);
    const bytes = files.get(path);
    if (bytes === undefined && !folders.has(path)) throw failure('ENOENT');
    const type = bytes === undefined ? 'dir' : 'file';
    return {
      type,
      mode: type === 'dir' ? 0o40755 : 0o100644,
      size: bytes?.length ?? 0,
      ino: 0,
      mtimeMs: 0,
      ctimeMs: 0,
      uid: 0,
      gid: 0,
      dev: 0,
      isFile: () => type === 'file',
      isDirectory: () => type === 'dir',
      isSymbolicLink: () => false,
    };
  };
  return {
    promises: {
      async readFile(path, options) {
        const bytes = files.get(clean(path));
        if (bytes === undefined) throw failure('ENOENT');
        const encoding = typeof options === 'string' ? options : options?.encoding;
        return encoding === undefined ? bytes : new TextDecoder().decode(bytes);
      },
      async writeFile(path, data) {
        if (!folders.has(parent(clean(path)))) throw failure('ENOENT');
        files.set(clean(path), typeof data === 'string' ? new TextEncoder().encode(data) : Uint8Array.from(data));
      },
      async unlink(path) {
        if (!files.delete(clean(path))) throw failure('ENOENT');
      },
      async readdir(given) {
        const path = clean(given);
        if (!folders.has(path)) throw failure(files.has(path) ? 'ENOTDIR' : 'ENOENT');
        const inside = [...files.keys(), ...folders].filter((one) => one !== '/' && parent(one) === path);
        return inside.map((one) => one.slice(one.lastIndexOf('/') + 1));
      },
      async mkdir(given) {
        const path = clean(given);
        if (folders.has(path) || files.has(path)) throw failure('EEXIST');
        if (!folders.has(parent(path))) throw failure('ENOENT');
        folders.add(path);
      },
      async rmdir(path) {
        if (!folders.delete(clean(path))) throw failure('ENOENT');
      },
      stat,
      lstat: stat,
      async readlink() {
        throw failure('EINVAL');
      },
      async symlink() {
        throw failure('EPERM');
      },
    },
  };
}
