/** The repo for the cases of shallow fetches, and the features that they need. */

import type { Context, TestRepo } from '../../../core/context.ts';
import { advertised, fetchFeatures } from '../../../tools/advertised.ts';
import { dated, type DatedCommit } from '../../../tools/dated-history.ts';
import { tag, type MadeObject } from '../../../tools/made-objects.ts';
import { repoWith } from '../../../steps/repo-with.ts';

export const day = 86_400;
/** The time of the oldest commit in Unix seconds. Each further one is a day later. */
export const start = 1_600_000_000;

const at = (days: number): number => start + days * day;

/**
 * Two lines that part at `b` and meet at `e`:
 *
 * ```text
 * a - b - c - d - e - f   main
 *      \- x - y -/        side is y
 * ```
 */
export const a: DatedCommit = dated('a', at(0));
export const b: DatedCommit = dated('b', at(1), a);
export const x: DatedCommit = dated('x', at(2), b);
export const c: DatedCommit = dated('c', at(3), b);
export const y: DatedCommit = dated('y', at(4), x);
export const d: DatedCommit = dated('d', at(5), c);
export const e: DatedCommit = dated('e', at(6), d, y);
export const f: DatedCommit = dated('f', at(7), e);
export const everything: readonly DatedCommit[] = [a, b, c, d, x, y, e, f];
/** A tag object of `c`. */
export const tagged: MadeObject = tag('v1', c);

export async function shallowRepo(t: Context): Promise<TestRepo> {
  const refs = { 'refs/heads/main': f, 'refs/heads/side': y, 'refs/tags/v1': tagged, 'refs/tags/old': b };
  return repoWith(t, refs, [...everything.flatMap(({ all }) => all), tagged]);
}

/** Ends the case unless the service has a feature of `fetch`, which is a capability in version 0. */
export async function needFeature(t: Context, repo: TestRepo, feature: string): Promise<void> {
  const isOld = repo.isOld === true;
  const features = isOld ? await advertised(repo, 'git-upload-pack', 0) : await fetchFeatures(repo);
  if (features.includes(feature)) return;
  const where = isOld ? 'version 0' : 'fetch of version 2';
  t.unsupported(`${feature} is not advertised: ${where} has ${features.join(', ') || 'no features'}`);
}

/** Ends the case if version 0, the only one of the service, allows no wants by id: a partial clone lives on them. */
export async function needWantsById(t: Context, repo: TestRepo): Promise<void> {
  if (repo.isOld !== true) return;
  const words = await advertised(repo, 'git-upload-pack', 0);
  if (!words.some((word) => /^allow-(?:any|reachable)-sha1-in-want$/.test(word)))
    t.unsupported(`wants by id are not advertised: version 0 has ${words.join(', ') || 'no capabilities'}`);
}

/** Returns the shallow and unshallow lines, sorted. */
export function told(shallow: readonly MadeObject[], unshallow: readonly MadeObject[] = []): string[] {
  return [...shallow.map(({ oid }) => `shallow ${oid}`), ...unshallow.map(({ oid }) => `unshallow ${oid}`)].sort();
}
