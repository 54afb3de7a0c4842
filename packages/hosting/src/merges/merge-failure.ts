import type { HostingError, RepoErrorKind } from '@packhouse/base';
import { fromByteText, type IntegrationRefusal, type PathConflict } from '@packhouse/git';
import { failed, failure, type Failure } from '../changes/failure.ts';

/** Conflicts that a failure lists (LIM-033). */
const conflictsMax = 1000;

const decoder = new TextDecoder(undefined, { ignoreBOM: true });

/** A conflict as REST shows it (REPO-282). */
interface ShownConflict {
  readonly path: string;
  readonly base: ShownStage;
  readonly ours: ShownStage;
  readonly theirs: ShownStage;
}

type ShownStage = { readonly mode: string; readonly hash: string } | null;

/** Refusals with a separate kind. */
const kinds: Readonly<Record<string, RepoErrorKind>> = {
  'non-fast-forward': 'nonFastForward',
  'nothing to commit': 'nothingToCommit',
};

/**
 * Makes the error of a merge that was not made (REPO-286).
 *
 * @param member The member of the body that has the revision.
 */
export function mergeFailure(refusal: IntegrationRefusal, member: string): HostingError {
  return failed([failureOf(refusal, member)]);
}

function failureOf(refusal: IntegrationRefusal, member: string): Failure {
  switch (refusal.kind) {
    case 'stale':
      return failure('staleRef', { pointer: `/${refusal.member}`, details: { head: refusal.head } });
    case 'no ref':
      return failure('refNotFound', { pointer: '/into' });
    case 'no revision':
      return failure('refNotFound', { pointer: `/${member}` });
    case 'conflicts': {
      const conflicts = refusal.conflicts.slice(0, conflictsMax).map(shownConflict);
      const details = { conflicts, truncated: conflicts.length < refusal.conflicts.length };
      return failure('mergeConflict', { details });
    }
    case 'mainline':
    case 'refused': {
      const kind = kinds[refusal.reason] ?? 'refRefused';
      return failure(kind, { reason: refusal.reason, ...(refusal.kind === 'mainline' && { pointer: '/mainline' }) });
    }
  }
}

function shownConflict({ path, base, ours, theirs }: PathConflict): ShownConflict {
  const stage = (version: PathConflict['base']): ShownStage =>
    version === undefined ? null : { mode: version.mode.toString(8).padStart(6, '0'), hash: version.oid };
  return { path: decoder.decode(fromByteText(path)), base: stage(base), ours: stage(ours), theirs: stage(theirs) };
}
