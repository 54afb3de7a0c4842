import { dialects, type Dialect } from '../core/dialect.ts';
import type { Target } from '../core/target.ts';

/** Milliseconds that a target may take to show whether it is there. */
const patience = 10_000;

type Reached = Pick<Target, 'origin' | 'account' | 'fetch'>;

/** Whether anything answers at a target. */
export async function answers(target: Reached & Pick<Target, 'dialect'>): Promise<boolean> {
  return (await probe(target, dialects[target.dialect], null)) !== undefined;
}

/** What is found at an origin. */
export type Found =
  | { readonly kind: 'service'; readonly dialect: Dialect['name'] }
  | { readonly kind: 'nothing' }
  /** Something answers that speaks none of the dialects tried. */
  | { readonly kind: 'stranger'; readonly status: number }
  /** The service takes the API token for nobody, or for somebody without this account. */
  | { readonly kind: 'not admitted'; readonly status: number };

/**
 * Finds the service, and which dialect it speaks unless that is known. Which one shows without a credential: routes
 * are looked up before it (REPO-036), and only where there is a route it is missing (REPO-031).
 */
export async function findService(
  target: Reached & { readonly apiToken: string },
  known: Dialect['name'] | undefined,
): Promise<Found> {
  const names = known === undefined ? (['neutral', 'cloudflare'] as const) : [known];
  let stranger: number | undefined;
  for (const name of names) {
    const reply = await probe(target, dialects[name], null);
    if (reply === undefined) return { kind: 'nothing' };
    if (reply.status !== 401) {
      stranger ??= reply.status;
      continue;
    }
    const admitted = await probe(target, dialects[name], target.apiToken);
    if (admitted === undefined) return { kind: 'nothing' };
    return admitted.status === 401 || admitted.status === 403
      ? { kind: 'not admitted', status: admitted.status }
      : { kind: 'service', dialect: name };
  }
  return { kind: 'stranger', status: stranger ?? 0 };
}

/** Asks for the first namespace; undefined if no answer came. */
async function probe(
  { origin, account, fetch: send = fetch }: Reached,
  dialect: Dialect,
  token: string | null,
): Promise<{ status: number } | undefined> {
  const url = `${origin}${dialect.basePath}/accounts/${account}/${dialect.serviceSegment}/namespaces?limit=1`;
  try {
    const reply = await send(
      new Request(url, {
        headers: token === null ? {} : { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(patience),
      }),
    );
    await reply.body?.cancel();
    return { status: reply.status };
  } catch {
    return undefined;
  }
}
