import type { PackRequest } from '../wire/fetch/pack-request.ts';
import type { FetchService } from './fetch-service.ts';
import type { FetchPlan } from './plan/fetch-plan.ts';

/** Wants of a request whose plan is cached: such as clients ask for one branch, or for a few. */
const wantsMax = 16;
/** Part of the cache that one plan may take. */
const shareMax = 1 / 16;

/**
 * Returns the plan of a request that offers nothing, from the cache or from `make`. Such a plan is decided by the version
 * of the repository and the text of the request, so a push makes the cached one useless, but never wrong.
 */
export async function knownPlan(
  { engine, repository, snapshot, options }: FetchService,
  request: PackRequest,
  make: () => Promise<FetchPlan>,
): Promise<FetchPlan> {
  const { wants, haves, shallow, filter, depth, includeTag } = request;
  if (repository.id === undefined || haves.length > 0 || shallow.length > 0 || wants.length > wantsMax) return make();
  const parts = [repository.id, snapshot.version, [...wants], filter, depth, includeTag, options.hiddenRefs];
  const key = JSON.stringify(parts);
  const known = engine.plans.get(key);
  if (known !== undefined) return { objects: known, held: () => false };
  const plan = await make();
  if (plan.objects.byteLength <= shareMax * engine.cacheLimit) engine.plans.set(key, plan.objects);
  return plan;
}
