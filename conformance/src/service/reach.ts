import { dialects, type Dialect } from '../core/dialect.ts';
import type { Target } from '../core/target.ts';
import { ownConnections } from './own-connection.ts';

/** Milliseconds to wait for a target to answer. */
const patience = 10_000;

type Reached = Pick<Target, 'origin' | 'account' | 'fetch'>;

/** Returns true if anything answers at a target. */
export async function answers(target: Reached & Pick<Target, 'dialect'>): Promise<boolean> {
  return 'status' in (await probe(target, dialects[target.dialect], null));
}

/** The result of looking for a service at an origin. */
export type Found =
  | { readonly kind: 'service'; readonly dialect: Dialect['name'] }
  /** Nothing answers; `error` is that of the request. */
  | { readonly kind: 'nothing'; readonly error: unknown }
  /** Something answers, but in none of the dialects tried. */
  | { readonly kind: 'stranger'; readonly status: number }
  /** The service does not accept the API token, or accepts it without access to this account. */
  | { readonly kind: 'not admitted'; readonly status: number };

/**
 * Finds the service, and its dialect unless that is known. A request without a credential shows the dialect: routes are
 * checked before credentials (REPO-036), and only an existing route reports a missing credential (REPO-031).
 */
export async function findService(
  target: Reached & { readonly apiToken: string },
  known: Dialect['name'] | undefined,
): Promise<Found> {
  const names = known === undefined ? (['neutral', 'cloudflare'] as const) : [known];
  let stranger: number | undefined;
  for (const name of names) {
    const reply = await probe(target, dialects[name], null);
    if ('error' in reply) return { kind: 'nothing', ...reply };
    if (reply.status !== 401) {
      stranger ??= reply.status;
      continue;
    }
    const admitted = await probe(target, dialects[name], target.apiToken);
    if ('error' in admitted) return { kind: 'nothing', ...admitted };
    return admitted.status === 401 || admitted.status === 403
      ? { kind: 'not admitted', status: admitted.status }
      : { kind: 'service', dialect: name };
  }
  return { kind: 'stranger', status: stranger ?? 0 };
}

/** The error page of a code that every catalogue has (ERR-009). */
const shownCode = '/cdn-cgi/error/1000';

/** Finds the dialect of a zone's platform errors by their marker, unless that is known. */
export async function findZone(
  { zone, ...target }: { readonly zone: string } & Pick<Target, 'fetch'>,
  known: Dialect['name'] | undefined,
): Promise<Exclude<Found, { kind: 'not admitted' }>> {
  try {
    const headers = { accept: 'application/json' };
    const signal = AbortSignal.timeout(patience);
    const reply = await ownConnections(target)(new Request(zone + shownCode, { headers, signal }));
    const text = await reply.text();
    const names = ['neutral', 'cloudflare'] as const;
    const dialect = known ?? names.find((name) => text.includes(`"${dialects[name].platformErrors.marker}"`));
    return dialect === undefined ? { kind: 'stranger', status: reply.status } : { kind: 'service', dialect };
  } catch (error) {
    return { kind: 'nothing', error };
  }
}

/** Requests the first namespace. */
async function probe(
  { origin, account, ...target }: Reached,
  dialect: Dialect,
  token: string | null,
): Promise<{ readonly status: number } | { readonly error: unknown }> {
  const url = `${origin}${dialect.basePath}/accounts/${account}/${dialect.serviceSegment}/namespaces?limit=1`;
  try {
    const reply = await ownConnections(target)(
      new Request(url, {
        headers: token === null ? {} : { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(patience),
      }),
    );
    await reply.body?.cancel();
    return { status: reply.status };
  } catch (error) {
    return { error };
  }
}
