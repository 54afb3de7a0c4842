import type { Suite } from '../../core/case.ts';
import { gitClosure } from './closure.ts';
import { gitCollection } from './collection.ts';
import { gitCorruptionBrokenConnection } from './corruption/broken-connection.ts';
import { gitCorruptionConnectivity } from './corruption/connectivity.ts';
import { gitCorruptionDeltas } from './corruption/deltas.ts';
import { gitCorruptionKinds } from './corruption/kinds.ts';
import { gitCorruptionObjects } from './corruption/objects.ts';
import { gitCorruptionPacks } from './corruption/packs.ts';
import { gitCorruptionStrays } from './corruption/strays.ts';
import { gitDeltas } from './deltas.ts';
import { gitFilterBases } from './upload-pack/filter-bases.ts';
import { gitFilters } from './upload-pack/filters.ts';
import { gitHostile } from './hostile.ts';
import { gitLimitsBodies } from './limits/bodies.ts';
import { gitLimitsPacks } from './limits/packs.ts';
import { gitLimitsStorage } from './limits/storage.ts';
import { gitMutationFetches } from './mutation/fetches.ts';
import { gitMutationHttp } from './mutation/http.ts';
import { gitMutationPushes } from './mutation/pushes.ts';
import { gitRaces } from './races.ts';
import { gitReceivePackDeltas } from './receive-pack/deltas.ts';
import { gitReceivePackKeepAlive } from './receive-pack/keep-alive.ts';
import { gitReceivePackOptions } from './receive-pack/push-options.ts';
import { gitReceivePackReport } from './receive-pack/report.ts';
import { gitReceivePackRequests } from './receive-pack/requests.ts';
import { gitRounds } from './clients/rounds.ts';
import { gitRoundTrip } from './clients/round-trip.ts';
import { gitSamples } from './samples/samples.ts';
import { gitShallowClients } from './shallow/clients.ts';
import { gitShallowDepth } from './shallow/depth.ts';
import { gitUploadPackMultiplexing } from './upload-pack/multiplexing.ts';
import { gitUploadPackNegotiation } from './upload-pack/negotiation.ts';
import { gitUploadPackPacks } from './upload-pack/packs.ts';
import { gitUploadPackWants } from './upload-pack/wants.ts';
import { gitWholePack } from './whole-pack.ts';

/** Cases of packs: the content of fetches, accepted and refused pushes, limits and races. */
export const gitPacks: Suite = [
  ...gitUploadPackWants,
  ...gitUploadPackNegotiation,
  ...gitUploadPackPacks,
  ...gitUploadPackMultiplexing,
  ...gitShallowClients,
  ...gitShallowDepth,
  ...gitFilters,
  ...gitFilterBases,
  ...gitDeltas,
  ...gitClosure,
  ...gitWholePack,
  ...gitRoundTrip,
  ...gitSamples,
  ...gitReceivePackRequests,
  ...gitReceivePackReport,
  ...gitReceivePackOptions,
  ...gitReceivePackKeepAlive,
  ...gitReceivePackDeltas,
  ...gitCorruptionPacks,
  ...gitCorruptionObjects,
  ...gitCorruptionDeltas,
  ...gitCorruptionConnectivity,
  ...gitCorruptionKinds,
  ...gitCorruptionStrays,
  ...gitCorruptionBrokenConnection,
  ...gitHostile,
  ...gitRaces,
  ...gitMutationPushes,
  ...gitMutationFetches,
  ...gitMutationHttp,
  ...gitLimitsBodies,
  ...gitLimitsPacks,
  ...gitLimitsStorage,
  ...gitCollection,
  ...gitRounds,
];
