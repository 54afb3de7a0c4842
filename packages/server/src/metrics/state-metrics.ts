import type { CacheUsage } from '@packhouse/base';
import { cacheUsages, type GitEngine } from '@packhouse/git';
import { version, type StorageCounts } from '@packhouse/hosting';
import type { Maintained } from '@packhouse/router';
import type { Metric, Sample } from './prometheus-text.ts';

/** Returns the metrics of the memory and the caches of an engine, and of the cache on disk below it. */
export function engineMetrics(engine: GitEngine, diskCache: CacheUsage | undefined): readonly Metric[] {
  const { admission, pages, prepared } = engine;
  const usages: (readonly [string, CacheUsage])[] = [...cacheUsages(engine)];
  if (diskCache !== undefined) usages.push(['disk', diskCache]);
  const ofCaches = (member: 'hits' | 'misses'): readonly Sample[] =>
    usages.map(([cache, usage]) => ({ labels: { cache }, value: usage[member] }));
  return [
    gauge('packhouse_memory_reserved_bytes', 'Memory that running requests hold (LIM-080).', admission.reserved),
    gauge('packhouse_memory_waiting_requests', 'Requests that wait for memory.', admission.waiting),
    {
      name: 'packhouse_cache_bytes',
      help: 'Bytes in each cache; "pages" has pages of stored packs, "disk" parts of packs of a bucket.',
      type: 'gauge',
      samples: [
        ...usages.map(([cache, { weight }]) => ({ labels: { cache }, value: weight })),
        { labels: { cache: 'pages' }, value: pages.memory },
      ],
    },
    {
      name: 'packhouse_cache_hits_total',
      help: 'Look-ups that a cache answered.',
      type: 'counter',
      samples: ofCaches('hits'),
    },
    {
      name: 'packhouse_cache_misses_total',
      help: 'Look-ups that a cache could not answer.',
      type: 'counter',
      samples: ofCaches('misses'),
    },
    gauge('packhouse_prepared_bytes', 'Bytes of packs that are stored to answer clones again.', prepared.bytes),
  ];
}

/** Returns the metrics of what the storage has. */
export function storageMetrics(counts: StorageCounts): readonly Metric[] {
  return [
    gauge('packhouse_repositories', 'Repositories in the storage.', counts.repositories),
    gauge('packhouse_packs', 'Packs that repositories read.', counts.packs),
    gauge('packhouse_pack_bytes', 'Bytes of these packs with their indexes and graphs.', counts.packBytes),
    gauge('packhouse_maintenance_due', 'Repositories whose maintenance is due.', counts.maintenanceDue),
    gauge('packhouse_events_waiting', 'Events that no receiver has taken yet.', counts.eventsWaiting),
  ];
}

/** The totals of the maintenance of all repositories by this server. */
export class MaintenanceMetrics {
  #runs = 0;
  #seconds = 0;
  #mergedPacks = 0;
  #removedPacks = 0;
  #collectedObjects = 0;

  add({ milliseconds, mergedPacks, removedPacks, collectedObjects }: Maintained): void {
    this.#runs++;
    this.#seconds += milliseconds / 1000;
    this.#mergedPacks += mergedPacks;
    this.#removedPacks += removedPacks;
    this.#collectedObjects += collectedObjects;
  }

  metrics(): readonly Metric[] {
    return [
      counter('packhouse_maintenance_runs_total', 'Maintenance that changed a repository.', this.#runs),
      counter('packhouse_maintenance_seconds_total', 'Time that it took.', this.#seconds),
      counter('packhouse_maintenance_merged_packs_total', 'Packs that it merged.', this.#mergedPacks),
      counter('packhouse_maintenance_removed_packs_total', 'Replaced packs that it removed.', this.#removedPacks),
      counter('packhouse_maintenance_collected_objects_total', 'Objects that it left out.', this.#collectedObjects),
    ];
  }
}

/** Returns the metrics of the process, under the names that clients of Prometheus share. */
export function processMetrics(): readonly Metric[] {
  const { user, system } = process.cpuUsage();
  return [
    {
      name: 'packhouse_info',
      help: 'The version of the server.',
      type: 'gauge',
      samples: [{ labels: { version }, value: 1 }],
    },
    counter('process_cpu_seconds_total', 'Processor time of the process.', (user + system) / 1_000_000),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'When the process began, in seconds since 1970.', startedAt),
  ];
}

const startedAt = Math.round(Date.now() / 1000 - process.uptime());

export function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', samples: [{ value }] };
}

export function counter(name: string, help: string, value: number): Metric {
  return { name, help, type: 'counter', samples: [{ value }] };
}
