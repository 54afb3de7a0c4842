import { describe, expect, it } from 'vitest';
import { defaultMemoryMax, enginePlan, memoryMaxLeast, type MemorySources } from './memory-limit.ts';

const mebi = 1_048_576;
const gibi = 1024 * mebi;

function machine(files: Readonly<Record<string, string>>, more: Partial<MemorySources> = {}): MemorySources {
  return {
    readText(path) {
      const text = files[path];
      if (text === undefined) throw new Error('ENOENT');
      return text;
    },
    constrained: () => undefined,
    total: () => 16 * gibi,
    ...more,
  };
}

describe('LIM-080: the default of memory_max', () => {
  const v2 = { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/./memory.max': `${gibi}\n` };

  it.each<[string, number, MemorySources]>([
    ['half of a small machine', gibi, machine({}, { total: () => 2 * gibi })],
    ['no more than 4 GiB', 4 * gibi, machine({})],
    ['three quarters of a control group of version 2', 768 * mebi, machine(v2)],
    [
      'the least limit of the groups around it',
      384 * mebi,
      machine({
        '/proc/self/cgroup': '0::/pods/one\n',
        '/sys/fs/cgroup/./pods/one/memory.max': 'max\n',
        '/sys/fs/cgroup/./pods/memory.max': `${512 * mebi}\n`,
        '/sys/fs/cgroup/./memory.max': `${gibi}\n`,
      }),
    ],
    [
      'three quarters of a control group of version 1',
      384 * mebi,
      machine({
        '/proc/self/cgroup': '9:name=systemd:/\n4:hugetlb,memory:/service\n0::/\n',
        '/sys/fs/cgroup/memory/service/memory.limit_in_bytes': `${512 * mebi}\n`,
        '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
      }),
    ],
    ['what the runtime says, where files cannot be read', 768 * mebi, machine({}, { constrained: () => gibi })],
    ['half of a machine without limits', 2 * gibi, machine({}, { constrained: () => 2 ** 63, total: () => 4 * gibi })],
    ['no less than the least', memoryMaxLeast, machine({}, { constrained: () => 64 * mebi })],
    [
      'a fixed one where nothing tells',
      gibi,
      machine(
        {},
        {
          constrained: () => {
            throw new Error('NotCapable');
          },
          total: () => {
            throw new Error('NotCapable');
          },
        },
      ),
    ],
  ])('is %s', (_, expected, sources) => {
    expect(defaultMemoryMax(sources)).toBe(expected);
  });

  it('is found on this machine', () => {
    expect(defaultMemoryMax()).toBeGreaterThanOrEqual(memoryMaxLeast);
  });
});

describe('LIM-080: how memory_max is divided', () => {
  it.each([192, 256, 384, 512, 1024, 4096, 65_536])('gives requests and caches less than %i MiB', (size) => {
    const { cache, sentCache, pageCache, memory, memoryReserve } = enginePlan(size * mebi);
    expect(cache + sentCache + memory).toBeLessThan((size - 160) * mebi);
    expect(memory - memoryReserve - pageCache).toBeGreaterThan(9 * mebi);
    expect(cache).toBeLessThanOrEqual(384 * mebi);
    expect(sentCache).toBeLessThanOrEqual(128 * mebi);
    expect(pageCache).toBeLessThanOrEqual(24 * mebi);
  });

  it('gives the caches what cache_max says, at most half of what the runtime leaves', () => {
    const cachesOf = (cacheMax: number): number => {
      const { cache, sentCache } = enginePlan(1184 * mebi, cacheMax);
      return (cache + sentCache) / mebi;
    };
    expect([cachesOf(0), cachesOf(64 * mebi), cachesOf(2 ** 40)]).toEqual([4, 64, 512]);
  });

  it.each([192, 200, 240, 300, 1024])('leaves room for a fetch of %i MiB with the largest cache_max', (size) => {
    const { pageCache, memory, memoryReserve } = enginePlan(size * mebi, 2 ** 40);
    expect(memory - memoryReserve - pageCache).toBeGreaterThan(9 * mebi);
  });

  it.each([192, 256, 512, 4096])('leaves the runtime a quarter of %i MiB, and more of larger ones', (size) => {
    const { cache, sentCache, memory } = enginePlan(size * mebi);
    const more = { 192: 0, 256: 0, 512: 32, 4096: 32 }[size] ?? 0;
    expect((cache + sentCache + memory) / mebi).toBeCloseTo(((size - 160) * 3) / 4 - more, 3);
  });

  it('admits a push of the largest plan with 512 MiB', () => {
    const { pageCache, memory, memoryReserve } = enginePlan(512 * mebi);
    expect(memory - memoryReserve - pageCache).toBeGreaterThan(64 * mebi);
  });
});
