import { newRayId } from '../problem/ray-id.ts';
import { zoneOf } from '../problem/zone.ts';
import type { FallbackStage } from './log.ts';
import type { PlatformErrorOptions } from './options.ts';

/** What is known of a reply before it is known what it says. */
export interface Circumstances {
  readonly rayId: string;
  /** Milliseconds since 1970, in the years 1970 to 9999. */
  readonly now: number;
  readonly zone: string;
}

/** Tells of a step that failed (ERR-119). */
export type TellFailure = (rayId: string, stage: FallbackStage, thrown: unknown) => void;

/** The first millisecond of the year 10000, which no timestamp can show (ERR-045). */
const endOfTime = 253_402_300_800_000;

/** Reads the circumstances of a request. A function of the host application that fails is done without. */
export const readCircumstances = (
  request: Request,
  options: PlatformErrorOptions,
  rayIdHeader: string,
  tell: TellFailure,
): Circumstances => {
  const rayId = trustedRayId(request, options, rayIdHeader) ?? makeRayId(options, tell);
  return { rayId, now: readClock(options, rayId, tell), zone: readZone(request, options, rayId, tell) };
};

/** A ray id header of the request, if it counts and has the right form: with the site or without (ERR-086). */
const trustedRayId = (request: Request, options: PlatformErrorOptions, header: string): string | undefined => {
  if (options.trustRayHeader !== true) return undefined;
  return rayIdIn(request.headers.get(header));
};

/** The ray id in a ray id header, with the site or without; nothing if the header has another form. */
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
 * The zone is the host that the visitor named (ERR-088): what the host application says, else `Host`, else the host of
 * the URL. If its function fails the zone stays empty: behind a proxy the other two may be internal names (ERR-015).
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
