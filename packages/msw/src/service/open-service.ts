import { createGitEngine } from '@packhouse/git';
import { portableCodec } from '@packhouse/git/codec-portable';
import type { Dialect, Hosting, Outbound } from '@packhouse/hosting';
import { type Clock, type Ids, failureRecord, type Log } from '@packhouse/base';
import { errorRoute, type PlatformErrors } from '@packhouse/problem-details';
import { createAreas, createFaces, type ServiceSettings } from '@packhouse/router';
import { memoryStorage } from '@packhouse/storage';
import { withOwnBody } from '../handlers/own-body.ts';
import { plant, type Ground, type SeedTime } from '../seed/plant.ts';
import { readRepoKey } from '../seed/repo-key.ts';
import type { Seed } from '../seed/seed.ts';
import type { FindGrants } from '../options/api-tokens.ts';
import type { HeldService } from '../handlers/held-service.ts';
import { limitedBy } from './limited-by.ts';
import { named } from '../values/named.ts';

/** A service with its own storage in memory. */
export interface OpenedService extends HeldService<Seed> {
  readonly hosting: Hosting;
  /** The services that receive seeds. */
  readonly ground: Ground;
}

export interface OpenServiceOptions {
  readonly account: string;
  readonly dialect: Dialect;
  readonly settings: Partial<ServiceSettings>;
  readonly clock: Clock;
  readonly createIds: () => Ids;
  readonly grants: FindGrants;
  readonly platform: PlatformErrors;
  readonly log: Log | undefined;
}

/** Opens a service with new storage in memory. It shares no content with other services. */
export function openService(options: OpenServiceOptions): OpenedService {
  const { account, dialect, settings, clock, grants, platform, log } = options;
  const codec = portableCodec();
  const engine = createGitEngine({ codec });
  const storage = memoryStorage({ now: () => clock.now() });
  const shared = {
    storage,
    engine,
    dialect,
    settings,
    authorize: async (token: string) => grants(token),
    outbound: nowhere,
    ids: options.createIds(),
    ...(log && { log }),
  };
  const time = seedTime(clock.now());
  const report = (error: unknown): void => log?.(failureRecord(error, null));
  const seeding = createAreas({ ...shared, clock: time, report });
  const ground = { account, ...seeding, storage: storage.repos, engine, codec, tags: storage.tags, time };
  const { hosting, fetch: service } = createFaces({ ...shared, clock });
  const limited = limitedBy((createLimiter) => createFaces({ ...shared, clock, createLimiter }).fetch);
  return {
    hosting,
    ground,
    answer: async (request) => await service(await withOwnBody(request)),
    async limited(request, retryAfter) {
      // At the error route, a rate limit is a sample of error 1015 (ERR-099).
      const route = errorRoute(platform, { limiter: () => ({ retryAfter }) });
      const shown = hosting.settings.error_route ? route(request) : undefined;
      return await (shown ?? limited(retryAfter)(await withOwnBody(request)));
    },
    put: (seed) => plant(ground, seed, clock.now()),
    async remove(repos) {
      for (const key of repos) {
        const { namespace, name } = readRepoKey(key);
        await named(key, hosting.repos.delete(account, namespace, name));
      }
    },
  };
}

/** Refuses all outbound requests. Imports fail as if the remote could not be found (REPO-128). */
const nowhere: Outbound = {
  lookup: async (host) => {
    throw new Error(`a mock looks up no host, and ${host} neither`);
  },
  fetch: async () => {
    throw new Error('a mock reaches nobody');
  },
};

/** Creates a clock that moves only by `set`. */
function seedTime(start: number): SeedTime {
  let at = start;
  return {
    now: () => at,
    set(next) {
      at = next;
    },
  };
}
