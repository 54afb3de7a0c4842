import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

const mebi = 1_048_576;

/** What the runtime, its code and SQLite take, beside what requests make them take. */
const processBase = 160 * mebi;

/** Bytes of `memory_max` where the system does not tell how much memory there is. */
const unknownMemory = 1024 * mebi;

/** More is of no use to one thread, and V8 allows its own heap no more by default. */
const defaultMost = 4096 * mebi;

/** With less, not even a small push would fit. */
export const memoryMaxLeast: number = 192 * mebi;

/** What tells how much memory there is. Each may throw. */
export interface MemorySources {
  readonly readText: (path: string) => string;
  /** Bytes that the runtime says the process may use; Deno and Bun heed control groups, too. */
  readonly constrained: () => number | undefined;
  readonly total: () => number;
}

const systemSources: MemorySources = {
  readText: (path) => readFileSync(path, 'latin1'),
  constrained: () => process.constrainedMemory?.(),
  total: totalmem,
};

/**
 * Default of `memory_max` (LIM-080): three quarters of what the control group of this process allows, or half of the
 * machine's memory where that is less; from 192 MiB to 4 GiB.
 */
export function defaultMemoryMax(sources: MemorySources = systemSources): number {
  const group = least([...groupLimits(sources), ...told(sources.constrained)]);
  const machine = least(told(sources.total));
  const share = Math.floor(Math.min(group * 0.75, machine / 2));
  return Math.min(defaultMost, Math.max(memoryMaxLeast, Number.isFinite(share) ? share : unknownMemory));
}

/** Limits of the control groups that this process is in, of version 2 and 1, and of those around them. */
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

/** `/a/b` as `/a/b`, `/a` and the empty text. */
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

/** No limit is written as `max`, 0, or a number beyond all memory. */
function least(bytes: readonly number[]): number {
  return Math.min(Infinity, ...bytes.filter((one) => one > 0 && one < 2 ** 50));
}

/** Bytes for what the runtime buffers of request bodies: half of what {@link enginePlan} leaves unplanned. */
export function bodiesMemory(memoryMax: number): number {
  return Math.floor((Math.max(memoryMax, memoryMaxLeast) - processBase) / 8);
}

/** Options of the engine: bytes of its caches, and what requests may hold together. */
interface EnginePlan {
  readonly cache: number;
  readonly pageCache: number;
  readonly memory: number;
  readonly memoryReserve: number;
}

/**
 * How `memory_max` is divided. A quarter of what the runtime leaves is for garbage that has not been collected and for
 * the buffers of the runtime; the caches shrink where that is little; the rest is for requests.
 */
export function enginePlan(memoryMax: number): EnginePlan {
  const left = Math.max(memoryMax, memoryMaxLeast) - processBase;
  const cache = between(4 * mebi, left / 8, 72 * mebi);
  const memory = Math.floor(left - left / 4 - cache);
  return {
    cache,
    pageCache: between(4 * mebi, left / 16, 24 * mebi),
    memory,
    memoryReserve: between(6 * mebi, memory / 8, 64 * mebi),
  };
}

function between(least: number, value: number, most: number): number {
  return Math.floor(Math.min(most, Math.max(least, value)));
}
