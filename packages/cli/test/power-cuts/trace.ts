import { basename, dirname } from 'node:path';
import { Inode, type VolatileDisk } from '@packhouse/storage/testing';

/** The system calls that change files or make them durable. */
export const tracedCalls = [
  'openat',
  'write',
  'writev',
  'pwrite64',
  'pwritev',
  'pwritev2',
  'ftruncate',
  'rename',
  'renameat',
  'renameat2',
  'link',
  'linkat',
  'unlink',
  'unlinkat',
  'mkdir',
  'mkdirat',
  'fsync',
  'fdatasync',
] as const;

/** One call on a file of the traced folder. */
export interface TracedCall {
  /** Milliseconds since 1970, never before those of an earlier record: its beginning, or the end of a sync. */
  readonly at: number;
  readonly name: string;
  /** The paths in the order of the arguments. */
  readonly paths: readonly string[];
  readonly text: string;
  /** The sync that this is the beginning or the end of, if other calls came in between. */
  readonly sync?: { readonly line: number; readonly isBegun: boolean };
}

/** Parses the output of `strace -f -ttt -y -xx`. Returns successful calls on files below a folder, in order. */
export function parseTrace(log: string, folder: string): readonly TracedCall[] {
  const calls: TracedCall[] = [];
  const unfinished = new Map<
    string,
    { readonly name: string; readonly text: string; readonly index: number; readonly at: number }
  >();
  const place = (index: number, call: TracedCall | undefined): void => {
    if (call !== undefined) calls[index] = call;
  };
  for (const [index, line] of log.split('\n').entries()) {
    const [, thread = '', time = '', rest = ''] = /^(\d+)\s+(\d+\.\d+) (.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(rest);
    const begun = unfinished.get(thread);
    if (resumed !== null && begun !== undefined) {
      unfinished.delete(thread);
      const text = begun.text + rest.slice(resumed[0].length);
      const call = toCall(begun.name, text, Number(time) * 1_000, folder);
      if (call === undefined) continue;
      // In its place in the order, a call has its own time. With that of its end, later calls would seem to be earlier.
      if (!isSync(begun.name)) place(begun.index, { ...call, at: begun.at });
      else {
        // A sync makes durable what was written before its beginning.
        place(begun.index, { ...call, at: begun.at, sync: { line: begun.index, isBegun: true } });
        place(index, { ...call, sync: { line: begun.index, isBegun: false } });
      }
      continue;
    }
    const name = /^(\w+)\(/.exec(rest)?.[1];
    if (name === undefined) continue;
    if (rest.endsWith('<unfinished ...>')) {
      unfinished.set(thread, {
        name,
        text: rest.slice(0, -'<unfinished ...>'.length),
        index,
        at: Number(time) * 1_000,
      });
    } else {
      place(index, toCall(name, rest, Number(time) * 1_000, folder));
    }
  }
  return calls.filter((call) => call !== undefined);
}

function isSync(name: string): boolean {
  return name === 'fsync' || name === 'fdatasync';
}

function toCall(name: string, text: string, at: number, folder: string): TracedCall | undefined {
  if (/= -1 E/.test(text.slice(-200))) return undefined;
  // The written data is in quotes, like some paths. A text this long is not a path.
  const end = Math.min(text.length, 3_000);
  const found = text.slice(0, end).match(/[<"]((?:\\x[0-9a-f]{2})+)[>"]/g) ?? [];
  const paths = found.map(decoded).filter((path) => path === folder || path.startsWith(`${folder}/`));
  if (paths.length === 0 || paths.some((path) => path.endsWith('-shm'))) return undefined;
  return { at, name, paths, text };
}

function decoded(hex: string): string {
  return bytesOf(hex).toString('utf8');
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(/[^0-9a-f]/g, ''), 'hex');
}

/** Repeats a call on the fake disk. */
export function replay(disk: VolatileDisk, { name, paths, text, sync }: TracedCall): void {
  const [first = '', second = ''] = paths;
  const inode = disk.get(first);
  switch (name) {
    case 'openat': {
      if (inode instanceof Inode && text.includes('O_TRUNC')) inode.truncate(0);
      if (inode === undefined && text.includes('O_CREAT')) disk.change(dirname(first), [[first, new Inode(0)]]);
      return;
    }
    case 'write':
    case 'writev':
    case 'pwrite64':
    case 'pwritev': {
      if (!(inode instanceof Inode)) throw new Error(`${basename(first)} is written, but was never made`);
      const parts = [...text.slice(text.indexOf('>')).matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)];
      const position = name.startsWith('p')
        ? Number(/, (\d+) *\) += \d+$/.exec(text.trimEnd())?.[1])
        : inode.current.length;
      inode.write(
        parts.map(([part]) => bytesOf(part)),
        position,
      );
      return;
    }
    case 'ftruncate':
      if (inode instanceof Inode) inode.truncate(Number(/, (\d+) *\) += 0/.exec(text)?.[1]));
      return;
    case 'rename':
      return disk.change(dirname(second), [
        [first, undefined],
        [second, inode],
      ]);
    case 'link':
      return disk.change(dirname(second), [[second, inode]]);
    case 'unlink':
      return disk.change(dirname(first), [[first, undefined]]);
    case 'mkdir':
      return disk.change(dirname(first), [[first, 'folder']]);
    case 'fsync':
    case 'fdatasync':
      if (!(inode instanceof Inode)) {
        if (sync?.isBegun !== true) disk.syncFolder(first);
      } else if (sync?.isBegun === true) inode.beginSync(sync.line);
      else inode.sync(sync?.line);
      return;
    default:
      throw new Error(`a replay does not know ${name}`);
  }
}
