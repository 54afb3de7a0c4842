import { HostingError, type RateLimiter, type Grant } from '@packhouse/base';
import type { ZoneDirectory } from '../model/resource-directory.ts';
import type { Tagging, TagScope } from '../model/tagging.ts';

/** The sender of a request and its permissions. */
export interface Caller {
  /** Any text that is the same for all requests with the same credential. The rate limit counts by it (TAG-144). */
  readonly credential: string;
  readonly grants: readonly Grant[];
}

/**
 * Authenticates a request with any form of credential (TAG-020). Returns `undefined` without a valid credential
 * (TAG-016).
 *
 * @param account finds the account of the path, or of the zone in it. Undefined for an unknown zone.
 */
export type AuthorizeRequest = (
  request: Request,
  account: () => Promise<string | undefined>,
) => Promise<Caller | undefined>;

/** Names of grants that allow reading and writing tags (TAG-017). */
const readers: ReadonlySet<string> = new Set(['Tag Read', 'Tag Write', 'tag.read', 'tag.list', 'tag.write']);
const writers: ReadonlySet<string> = new Set(['Tag Write', 'tag.write']);

/** Makes the checks that precede all checks of a request's content (TAG-147). */
export function createAdmission(options: {
  readonly authorize: AuthorizeRequest;
  readonly zones: ZoneDirectory;
  readonly limiter: RateLimiter;
}): Tagging['admit'] {
  const { authorize, zones, limiter } = options;

  const scopeOf = async (where: Parameters<Tagging['admit']>[1]): Promise<TagScope | undefined> => {
    if ('account' in where) return { account: where.account, zone: null };
    const account = await zones.accountOf(where.zone);
    return account === undefined ? undefined : { account, zone: where.zone };
  };

  return async (request, where, permission) => {
    const caller = await authorize(request, async () => (await scopeOf(where))?.account);
    if (caller === undefined) throw new HostingError('authentication');
    const scope = await scopeOf(where);
    const enough = permission === 'read' ? readers : writers;
    if (scope === undefined || !caller.grants.some((grant) => covers(grant, scope) && enough.has(grant.permission))) {
      throw new HostingError('permission');
    }
    const retryAfter = await limiter.admit(caller.credential);
    if (retryAfter !== undefined) throw new HostingError('rate', { retryAfter });
    return scope;
  };
}

/**
 * A grant for an account also covers its zones. A grant for a zone covers only that zone (TAG-018), and one for a
 * namespace covers no tags, since tags belong to the account (REPO-366).
 */
function covers(grant: Grant, { account, zone }: TagScope): boolean {
  if (grant.zone === undefined && grant.namespace !== undefined) return false;
  return grant.zone === undefined ? grant.account === account : grant.zone === zone;
}
