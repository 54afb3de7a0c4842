import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

const mebi = 1_048_576;

/** Bytes that the runtime, its code and SQLite use without any request. */
const processBase = 160 * mebi;

/** Bytes by which the young heap and the allocator of Node grow under load, as measured. */
const processGrowth = 32 * mebi;

/** Bytes of `memory_max` where the system does not report its memory. */
const unknownMemory = 1024 * mebi;

/** Bytes. One thread cannot use more, and V8 limits its own heap to this by default. */
const defaultMost = 4096 * mebi;

/** Bytes. With less, not even a small push fits. */
export const memoryMaxLeast: number = 192 * mebi;

/** Sources of the amount of memory. Each may throw. */
export interface MemorySources {
  readonly readText: (path: string) => string;
  /** Bytes that the process may use according to the runtime. Deno and Bun also consider control groups. */
  readonly constrained: () => number | undefined;
  readonly total: () => number;
}

const systemSources: MemorySources = {
  readText: (path) => readFileSync(path, 'latin1'),
  constrained: () => process.constrainedMemory?.(),
  total: totalmem,
};

/**
 * Returns the default of `memory_max` in bytes (LIM-080): the smaller of three quarters of the control group's limit
 * and half of the machine's memory, between 192 MiB and 4 GiB.
 */
export function defaultMemoryMax(sources: MemorySources = systemSources): number {
  const group = least([...groupLimits(sources), ...told(sources.constrained)]);
  const machine = least(told(sources.total));
  const share = Math.floor(Math.min(group * 0.75, machine / 2));
  return Math.min(defaultMost, Math.max(memoryMaxLeast, Number.isFinite(share) ? share : unknownMemory));
}

/** Returns the limits of the control groups of this process and of their parents, of version 2 and 1. */
function groupLimits({ readText }: MemorySources): number[] {
  const lines = told(() => readText('/proc/self/cgroup'))
    .join('')
    .split('\n');
  return lines.flatMap((line) => {
    const [, controllers = '', path = '/'] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    const isVersion1 = controllers.split(',').includes('memory');
    if (!isVersion1 && (controllers !== '' || line === '')) return [];
    const [root, file] = isVersion1 ? ['memory', 'memory.limit_in_bytes'] : ['.', 'memory.max'];
    return pathsUp(path).flatMap((folder) => told(() => Number(readText(`/sys/fs/cgroup/${root}${folder}/${file}`))));
  });
}

/** Returns a path and its parents: for `/a/b`, the empty text, `/a` and `/a/b`. */
function pathsUp(path: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '');
  return [...names.keys(), names.length].map((count) =>
    names
      .slice(0, count)
      .map((name) => `/${name}`)
      .join(''),
  );
}

function told<T>(source: () => T | undefined): T[] {
  try {
    const value = source();
    return value === undefined ? [] : [value];
  } catch {
    return [];
  }
}

/** Returns the smallest limit. The kernel writes "no limit" as `max`, 0, or a number beyond all memory. */
function least(bytes: readonly number[]): number {
  return Math.min(Infinity, ...bytes.filter((one) => one > 0 && one < 2 ** 50));
}

/** Returns the bytes for the runtime's buffers of request bodies: half of what {@link enginePlan} leaves unplanned. */
export function bodiesMemory(memoryMax: number): number {
  return Math.floor((Math.max(memoryMax, memoryMaxLeast) - processBase) / 8);
}

/** Options of the engine: bytes of its caches, and bytes that all requests may hold together. */
interface EnginePlan {
  readonly cache: number;
  readonly sentCache: number;
  readonly pageCache: number;
  readonly memory: number;
  readonly memoryReserve: number;
}

/**
 * Divides `memory_max`. A quarter of what the runtime leaves is for uncollected garbage and the runtime's buffers, and
 * with enough memory also what the runtime grows by under load. The caches get a share of what it leaves, or `cacheMax`
 * bytes, at most half of it. Requests get the rest.
 */
export function enginePlan(memoryMax: number, cacheMax?: number): EnginePlan {
  const left = Math.max(memoryMax, memoryMaxLeast) - processBase;
  const runtime = left / 4 + between(0, (left - 96 * mebi) / 8, processGrowth);
  // Small requests, pages and one ordinary fetch need 22 MiB.
  const most = cacheMax === undefined ? 512 * mebi : Math.min(left / 2, left - runtime - 22 * mebi);
  const caches = between(4 * mebi, cacheMax ?? left / 8, most);
  const sentCache = Math.floor(caches / 4);
  const memory = Math.floor(left - runtime - caches);
  return {
    cache: caches - sentCache,
    sentCache,
    pageCache: between(4 * mebi, left / 16, 24 * mebi),
    memory,
    memoryReserve: between(6 * mebi, memory / 8, 64 * mebi),
  };
}

function between(least: number, value: number, most: number): number {
  return Math.floor(Math.min(most, Math.max(least, value)));
}
