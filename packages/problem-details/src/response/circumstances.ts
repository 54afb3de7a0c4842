import { newRayId } from '../problem/ray-id.ts';
import { zoneOf } from '../problem/zone.ts';
import type { FallbackStage } from './log.ts';
import type { PlatformErrorOptions } from './options.ts';

/** Facts of a reply that do not depend on its content. */
export interface Circumstances {
  readonly rayId: string;
  /** Milliseconds since 1970, in the years 1970 to 9999. */
  readonly now: number;
  readonly zone: string;
}

/** Reports a failed step (ERR-119). */
export type TellFailure = (rayId: string, stage: FallbackStage, thrown: unknown) => void;

/** The first millisecond of the year 10000, which timestamps cannot show (ERR-045). */
const endOfTime = 253_402_300_800_000;

/** Reads the circumstances of a request. Ignores functions of the host application that fail. */
export const readCircumstances = (
  request: Request,
  options: PlatformErrorOptions,
  rayIdHeader: string,
  tell: TellFailure,
): Circumstances => {
  const rayId = trustedRayId(request, options, rayIdHeader) ?? makeRayId(options, tell);
  return { rayId, now: readClock(options, rayId, tell), zone: readZone(request, options, rayId, tell) };
};

/** Returns the ray id in a header of the request, if it is trusted and valid, with or without the site (ERR-086). */
const trustedRayId = (request: Request, options: PlatformErrorOptions, header: string): string | undefined => {
  if (options.trustRayHeader !== true) return undefined;
  return rayIdIn(request.headers.get(header));
};

/** Parses a ray id header, with or without the site. Returns undefined for another form. */
export const rayIdIn = (value: string | null): string | undefined =>
  /^([0-9a-f]{16})(?:-[A-Z]{3})?$/.exec(value ?? '')?.[1];

const makeRayId = ({ random }: PlatformErrorOptions, tell: TellFailure): string => {
  if (random === undefined) return newRayId();
  try {
    return newRayId(random);
  } catch (thrown) {
    const rayId = newRayId();
    tell(rayId, 'random', thrown);
    return rayId;
  }
};

const readClock = ({ clock }: PlatformErrorOptions, rayId: string, tell: TellFailure): number => {
  if (clock === undefined) return Date.now();
  try {
    const now = clock();
    if (typeof now === 'number' && now >= 0 && now < endOfTime) return now;
    throw new RangeError(`no time that a reply can show: ${String(now)}`);
  } catch (thrown) {
    tell(rayId, 'clock', thrown);
    return Date.now();
  }
};

/**
 * Returns the zone, the host that the visitor requested (ERR-088): from the host application, else from `Host`, else
 * from the URL. If the application's function fails, the zone stays empty: behind a proxy the other two may be internal
 * names (ERR-015).
 */
const readZone = (request: Request, { host }: PlatformErrorOptions, rayId: string, tell: TellFailure): string => {
  try {
    const name = host === undefined ? hostOf(request) : (host(request) ?? '');
    if (typeof name === 'string') return zoneOf(name);
    throw new TypeError(`the host must be text, not ${typeof name}`);
  } catch (thrown) {
    tell(rayId, 'host', thrown);
    return '';
  }
};

const hostOf = (request: Request): string => request.headers.get('host') ?? new URL(request.url).host;
