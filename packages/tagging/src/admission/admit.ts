import { HostingError, type RateLimiter, type Grant } from '@packhouse/base';
import type { ZoneDirectory } from '../model/resource-directory.ts';
import type { Tagging, TagScope } from '../model/tagging.ts';

/** Who sends a request, and what that one may do. */
export interface Caller {
  /** Any text that is the same for all requests with the same credential; it is what a rate counts by (TAG-144). */
  readonly credential: string;
  readonly grants: readonly Grant[];
}

/** Finds the credential of a request, of whatever form (TAG-020); `undefined` if it has no valid one (TAG-016). */
export type AuthorizeRequest = (request: Request) => Promise<Caller | undefined>;

/** Names of grants that let tags be read and written (TAG-017). */
const readers: ReadonlySet<string> = new Set(['Tag Read', 'Tag Write', 'tag.read', 'tag.list', 'tag.write']);
const writers: ReadonlySet<string> = new Set(['Tag Write', 'tag.write']);

/** The checks of a request that come before all that it says (TAG-147). */
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
    const caller = await authorize(request);
    if (caller === undefined) throw new HostingError('authentication');
    const scope = await scopeOf(where);
    const enough = permission === 'read' ? readers : writers;
    if (scope === undefined || !caller.grants.some((grant) => covers(grant, scope) && enough.has(grant.permission))) {
      throw new HostingError('permission');
    }
    const retryAfter = limiter.admit(caller.credential);
    if (retryAfter !== undefined) throw new HostingError('rate', { retryAfter });
    return scope;
  };
}

/** A zone belongs to its account, the routes of an account to that alone (TAG-018). */
function covers(grant: Grant, { account, zone }: TagScope): boolean {
  return grant.zone === undefined ? grant.account === account : grant.zone === zone;
}
