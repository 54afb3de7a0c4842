import { createGitEngine } from '@packhouse/git';
import { portableCodec } from '@packhouse/git/codec-portable';
import { createHosting, type Clock, type Dialect, type Hosting, type Ids, type Settings } from '@packhouse/hosting';
import { createService, failureRecord, gitFace, type Log, type Service } from '@packhouse/router';
import { memoryCatalogs, memoryStorage, memoryTagStores } from '@packhouse/storage';
import type { Ground } from '../seed/plant.ts';
import type { FindGrants } from './api-tokens.ts';
import { nowhere } from './nowhere.ts';
import { seedTime } from './seed-time.ts';
import { usedUp } from './used-up.ts';

/** A service with storage of its own, in memory. */
export interface OpenedService {
  readonly hosting: Hosting;
  readonly service: Service;
  /** The same service when the rate of whoever asks is used up. */
  readonly limited: (request: Request, retryAfter: number) => Promise<Response>;
  /** What seeds are put into. */
  readonly ground: Ground;
}

export interface OpenServiceOptions {
  readonly account: string;
  readonly dialect: Dialect;
  readonly settings: Partial<Settings>;
  readonly clock: Clock;
  readonly createIds: () => Ids;
  readonly grants: FindGrants;
  readonly log: Log | undefined;
}

/** Everything that a mock holds is in what this answers: another one has never heard of it. */
export function openService(options: OpenServiceOptions): OpenedService {
  const { account, dialect, settings, clock, grants, log } = options;
  const codec = portableCodec();
  const engine = createGitEngine({ codec });
  const storage = memoryStorage({ now: () => clock.now() });
  const tags = memoryTagStores();
  const shared = {
    engine,
    storage,
    tags,
    catalog: memoryCatalogs(),
    authorizer: { authorize: async (token: string) => grants(token) },
    outbound: nowhere,
    dialect,
    settings,
    ids: options.createIds(),
    report: (error: unknown) => log?.(failureRecord(error, null)),
  };
  const hosting = createHosting({ ...shared, clock });
  const time = seedTime(clock.now());
  const serve = (hosted: Hosting): Service => {
    const report = (error: unknown, requestId: string): void => log?.(failureRecord(error, requestId));
    return createService({ hosting: hosted, git: gitFace({ hosting: hosted, engine, report }), ...(log && { log }) });
  };
  return {
    hosting,
    service: serve(hosting),
    limited: (request, retryAfter) => serve(usedUp(hosting, retryAfter))(request),
    ground: { account, hosting: createHosting({ ...shared, clock: time }), storage, engine, codec, tags, time },
  };
}
