import { HostingError, isServedAccount, type Authorizer } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { covers, includesPermission, reachOf } from '../ports/api-token-reach.ts';
import { rightsOf } from './grants.ts';

/** The target of a request of the control plane. */
export interface Target {
  readonly account: string;
  /** Namespace in the spelling of the request. Undefined: the whole account. */
  readonly namespace?: string | undefined;
  /** Name of the repo. Undefined: the whole namespace. */
  readonly repo?: string | undefined;
  /** True if the operation itself judges what the caller may see and change within the target. */
  readonly isJudged?: boolean | undefined;
}

/** The part of a target that a caller may reach. */
export interface Access {
  /** Ids of the only repos that the caller may reach. Undefined: all of the target. */
  readonly within?: readonly string[];
  /** Id of the stored token of the caller, for the log. */
  readonly token?: string | undefined;
}

export type Authorize = (token: string | undefined, target: Target, permission: 'read' | 'edit') => Promise<Access>;

/**
 * Creates the check of a platform API token (REPO-030 to REPO-032, REPO-365). A namespace or repo outside the reach of a
 * token looks like a missing one, so that the token learns nothing of it.
 */
export function createAuthorize(context: Context, authorizer: Authorizer): Authorize {
  const { catalog, dialect, settings } = context;
  return async (token, { account, namespace, repo, isJudged = false }, permission) => {
    const grants =
      token === undefined ? undefined : await authorizer.authorize(token, isServed(account) ? account : undefined);
    if (grants === undefined) throw new HostingError('authentication');
    const able = rightsOf(grants, account, dialect).filter((right) => includesPermission(right.permission, permission));
    if (!isServed(account) || able.length === 0) throw new HostingError('permission');
    const access = { token: grants.flatMap((grant) => (grant.account === account ? (grant.token ?? []) : []))[0] };
    const whole = reachOf({ namespace: namespace ?? null });
    if (able.some(({ reach }) => covers(reach, whole))) return access;
    if (namespace === undefined) {
      if (isJudged) return access;
      throw new HostingError('permission');
    }
    const within = able.flatMap(({ reach }) => (covers(whole, reach) && reach.repo !== null ? [reach.repo] : []));
    if (within.length === 0) throw new HostingError(repo === undefined ? 'namespaceNotFound' : 'repoNotFound');
    if (repo === undefined) {
      if (isJudged) return { ...access, within };
      throw new HostingError('permission');
    }
    const record = await catalog(account).repo(namespace, repo);
    if (record === undefined || !within.includes(record.id)) throw new HostingError('repoNotFound');
    return { ...access, within };
  };

  function isServed(account: string): boolean {
    return isServedAccount(account, settings.accounts);
  }
}
